"""Finds the calls of a function in its file, and their arguments.

A call of a name or attribute that may hold a module counts as a call of the module's ``forward``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.flows import Flows, Place, Site
from tslint.util import astwalk


class Callers(Flows):
    """Finds the calls of one file that may call a function. It is created from the same arguments as :class:`Flows`."""

    def of(self, function: FunctionNode) -> list[Site]:
        """Return the calls that may call a function."""
        owner = self.owners.get(id(function))
        if owner is not None and function.name == "__init__":
            return self._creating(owner)
        if owner is None or function.name != "forward":
            return self.methods.get(function.name, [])
        itself: set[str] = {owner.name} if self.classes.get(owner.name) is owner else set()
        kin = self._subclasses.get(owner.name, set()) | itself
        # Classes and their instances are passed along the same paths; only calls of an instance call its `forward`.
        reached: set[tuple[Place, bool]] = set()
        pending: list[tuple[Place, bool]] = [(("global", None, name), False) for name in kin]
        while pending:
            place, made = pending.pop()
            if (place, made) in reached:
                continue
            reached.add((place, made))
            pending += [(each, made) for each in self.flows.get(place, ())]
            if place[0] == "attribute":
                pending.append((("attribute", "*", place[2]), made))
            if place[0] not in ("any", "called"):
                inner = place[1] if place[0] == "item" else place
                pending.append((("any", inner), made))
                if not made:
                    pending.append((("called", inner), True))
        instances = {place for place, made in reached if made}
        numbers = {number for place in instances for number in self._sites_at.get(place, ())}
        found = [self.sites[number][1] for number in sorted(numbers)]
        return found + self._through_classes("forward", kin, owner)

    def _creating(self, owner: ast.ClassDef) -> list[Site]:
        """Return the calls that run a class's constructor: calls of the class or of a subclass without constructor, and
        ``super().__init__(…)`` or ``Net.__init__(self, …)`` in subclasses.
        """
        kin = {name for name, node in self.classes.items() if node is owner or self._inherits_init(node, owner)}
        found = [site for name in sorted(kin) for site in self.methods.get(name, [])]
        return found + self._through_classes("__init__", {owner.name}, owner)

    def _inherits_init(self, node: ast.ClassDef, owner: ast.ClassDef) -> bool:
        own = any(isinstance(each, FunctionNode) and each.name == "__init__" for each in node.body)
        return not own and self.inherits(node, owner)

    @cached_property
    def _subclasses(self) -> dict[str, set[str]]:
        """Return the names of all subclasses of each class."""
        found: dict[str, set[str]] = {}
        for name, node in self.classes.items():
            for base in self.bases(node):
                found.setdefault(base, set()).add(name)
        return found

    @cached_property
    def _sites_at(self) -> dict[Place, list[int]]:
        """Return the numbers of the calls whose callee may come from a place."""
        found: dict[Place, list[int]] = {}
        for number, (places, _) in enumerate(self.sites):
            for place in places:
                found.setdefault(place, []).append(number)
        return found

    def _through_classes(self, method: str, kin: set[str], owner: ast.ClassDef) -> list[Site]:
        found = self.methods.get(method, [])
        return [
            each
            for each in found
            if isinstance(each.node.func, ast.Attribute) and self._through_class(each, kin, owner)
        ]

    def _through_class(self, site: Site, kin: set[str], owner: ast.ClassDef) -> bool:
        """Return whether a call is ``super().method(...)`` in a subclass, or ``Base.method(self, ...)``."""
        assert isinstance(site.node.func, ast.Attribute)
        base = site.node.func.value
        if isinstance(base, ast.Name):
            return base.id in kin
        holder = self.owners.get(id(site.function))
        made = isinstance(base, ast.Call) and isinstance(base.func, ast.Name) and base.func.id == "super"
        return made and holder is not None and holder is not owner and owner.name in self.bases(holder)


@astwalk.kept
def callers(tree: ast.Module) -> Callers:
    """Return the callers of a file's functions; the tree is read only once."""
    return Callers(tree)


def expansions(function: FunctionNode, name: str) -> Iterator[tuple[ast.Call, ast.AST]]:
    """Yield the calls that unpack a variadic parameter, with the unpacked argument."""
    for call in astwalk.walk(function):
        if isinstance(call, ast.Call):
            for argument in call.args:
                if isinstance(argument, ast.Starred) and astwalk.is_name(argument.value, name):
                    yield call, argument
            for keyword in call.keywords:
                if keyword.arg is None and astwalk.is_name(keyword.value, name):
                    yield call, keyword


def arguments_for(function: FunctionNode, name: str, call: ast.Call) -> Iterator[ast.expr]:
    """Yield the argument that a call passes for a parameter. Yield nothing if the call omits the parameter, if
    ``*values`` may contain the argument, or if the call has a keyword that the function lacks: then the call is one of
    another function, unless a decorator accepts the keyword.
    """
    spec = function.args
    if call.keywords and spec.kwarg is None and not function.decorator_list:
        known = {None, *(each.arg for each in (*spec.args, *spec.kwonlyargs))}
        if any(each.arg not in known for each in call.keywords):
            return
    for keyword in call.keywords:
        if keyword.arg == name:
            yield keyword.value
            return
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    if name not in names:
        return
    position = names.index(name)
    if names[0] in ("self", "cls") and not _through_class(call):
        position -= 1
    if any(isinstance(each, ast.Starred) for each in call.args[: position + 1]):
        return
    if 0 <= position < len(call.args):
        yield call.args[position]


def _through_class(call: ast.Call) -> bool:
    """Return whether a call passes the instance itself, as ``Base.method(self, x)`` does."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    first = call.args[0] if call.args else None
    name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
    return name.lstrip("_")[:1].isupper() and isinstance(first, ast.Name) and first.id in ("self", "cls")
