"""Determines where the values of a file may be used. It only follows names and attributes, so it may find too many.

A *place* is a variable, an attribute, the result of a call, or an element of one of these. An expression *mentions*
places: a variable to which the expression is assigned may hold the value of each. A class of the file that is passed to
the constructor of another class may be called by that other class. For pairs in a list (``for attention, feed in
self.layers``), the first and the second element are distinguished.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from tslint.script.dataflow.definitions import Definitions, FunctionNode
from tslint.util import astwalk
from tslint.util.record import record

# The nodes that pass values on.
_READ = frozenset(
    [ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.For, ast.comprehension, ast.Return, ast.Call]
)
_HOLDING = frozenset(
    "values items get pop children modules copy to cuda cpu eval train apply float half double".split()
)
Place = tuple[object, ...]


@record
class Site:
    """A call.

    Args:
        node: the call.
        function: the function that contains it, if any.
    """

    node: ast.Call
    function: FunctionNode | None


@dataclass
class Flows(Definitions):
    """The paths that the values of one file may take, and its calls; see :class:`Definitions` for the arguments."""

    flows: dict[Place, set[Place]] = field(default_factory=dict)
    sites: list[tuple[frozenset[Place], Site]] = field(default_factory=list)
    methods: dict[str, list[Site]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._scope(self.tree.body, None)
        for function in self.functions.values():
            self._scope(function.body, function)
        for owner in self.classes.values():
            for item in owner.body:
                if isinstance(item, FunctionNode):
                    self._scope(item.body, item)

    def _scope(self, body: list[ast.stmt], function: FunctionNode | None) -> None:
        """Read the assignments and calls of a function, or of the module's code outside functions and classes."""
        for statement in body:
            if function is None and isinstance(statement, (ast.ClassDef, FunctionNode)):
                continue
            for node in astwalk.walk(statement):
                if node.__class__ in _READ:
                    self._node(node, function)

    def _node(self, node: ast.AST, function: FunctionNode | None) -> None:
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
            targets: list[ast.expr] = [*node.targets] if isinstance(node, ast.Assign) else [node.target]
            self._store(node.value, targets, function)
        elif isinstance(node, (ast.For, ast.comprehension)):
            self._iterate(node.iter, node.target, function)
        elif isinstance(node, ast.Return) and node.value is not None and function is not None:
            owner = self.owners.get(id(function))
            for source in self._read(node.value, function):
                self.flows.setdefault(source, set()).add(("result", owner is not None, function.name))
        elif isinstance(node, ast.Call):
            self._call(node, function)

    def _call(self, node: ast.Call, function: FunctionNode | None) -> None:
        callee = node.func
        site = Site(node, function)
        if isinstance(callee, ast.Name) and (callee.id in self.classes or callee.id in self.functions):
            self._handed(callee.id, node, function)
            self.methods.setdefault(callee.id, []).append(site)
            return
        if isinstance(callee, ast.Attribute):
            self.methods.setdefault(callee.attr, []).append(site)
            if callee.attr in ("append", "insert", "extend", "add_module", "update", "setdefault"):
                for argument in node.args:
                    parts = _parts(argument)
                    self._spread([parts] if parts else [], argument, [callee.value], function)
        called = callee.value if isinstance(callee, ast.Attribute) and callee.attr == "forward" else callee
        self.sites.append((frozenset(self._read(called, function)), site))

    def _handed(self, name: str, node: ast.Call, function: FunctionNode | None) -> None:
        """Connect each argument of a call with all parameters of the called constructor or function."""
        known: FunctionNode | None = self.functions.get(name)
        if known is None:
            lines = [self.classes[name], *(self.classes[base] for base in self.bases(self.classes[name]))]
            made = (m for c in lines for m in c.body if isinstance(m, FunctionNode) and m.name == "__init__")
            known = next(made, None)
        if known is None:
            return
        spec = known.args
        names = [argument.arg for argument in (*spec.args, *spec.kwonlyargs)]
        names += [argument.arg for argument in (spec.vararg, spec.kwarg) if argument]
        for value in [*node.args, *(keyword.value for keyword in node.keywords)]:
            for source in self._read(value, function):
                for each in names:
                    self.flows.setdefault(source, set()).add(("local", id(known), each))

    def _store(self, value: ast.expr, targets: list[ast.expr], function: FunctionNode | None) -> None:
        for target in targets:
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
                for each, part in zip(target.elts, value.elts):
                    self._store(part, [each], function)
                targets = [other for other in targets if other is not target]
        rows: list[ast.expr] = []
        inner = value.args[0] if isinstance(value, ast.Call) and len(value.args) == 1 else value
        if isinstance(inner, ast.ListComp):
            rows = [inner.elt]
        elif isinstance(inner, ast.List):
            rows = inner.elts
        parts = [_parts(row) for row in rows]
        self._spread([each for each in parts if each] if all(parts) else [], value, targets, function)

    def _spread(
        self, rows: list[list[ast.expr]], value: ast.expr, targets: list[ast.expr], function: FunctionNode | None
    ) -> None:
        """Connect a value with targets: as a whole, or, if ``rows`` contains its elements, each by its position."""
        places = {place for target in targets for place in self._mentioned(target, function)}
        if not rows:
            for source in self._read(value, function):
                self.flows.setdefault(source, set()).update(places)
        for row in rows:
            for index, part in enumerate(row):
                for source in self._read(part, function):
                    self.flows.setdefault(source, set()).update(("item", place, index) for place in places)

    def _iterate(self, value: ast.expr, target: ast.expr, function: FunctionNode | None) -> None:
        """Connect the elements of an iterable with a loop's variables."""
        name = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
        parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
        if isinstance(value, ast.Call) and name == "enumerate" and len(parts) == 2 and value.args:
            self._iterate(value.args[0], parts[1], function)
        elif isinstance(value, ast.Call) and name == "zip" and len(parts) == len(value.args):
            for each, part in zip(value.args, parts):
                self._iterate(each, part, function)
        elif parts:
            for index, part in enumerate(parts):
                places = self._mentioned(part, function)
                for source in self._mentioned(value, function):
                    self.flows.setdefault(source, set()).update(places)
                    self.flows.setdefault(("item", source, index), set()).update(places)
        else:
            self._spread([], value, [target], function)

    def _read(self, node: ast.AST, function: FunctionNode | None) -> set[Place]:
        """Return the places from which an expression's value may come."""
        return {place if place[0] == "called" else ("any", place) for place in self._mentioned(node, function)}

    def _mentioned(self, node: ast.AST, function: FunctionNode | None) -> set[Place]:
        """Return the places that an expression names."""
        found: set[Place] = set()
        pending: list[ast.AST] = [node]
        while pending:
            each = pending.pop()
            if isinstance(each, ast.Call):
                pending += self._result(each, function, found)
            elif isinstance(each, ast.Attribute):
                itself = isinstance(each.value, ast.Name) and each.value.id == "self"
                owner = self.owners.get(id(function)) if function is not None else None
                # Of an object other than self, it may be the attribute of any class.
                found.add(("attribute", self.family(owner) if itself else "*", each.attr))
            elif isinstance(each, ast.Name):
                found.add(self._name(each, function))
            elif not isinstance(each, (ast.Lambda, ast.Compare)):
                pending += astwalk.children(each)
        return found

    def _name(self, node: ast.Name, function: FunctionNode | None) -> Place:
        bound = function is not None and node.id in _locals(function)
        return ("local", id(function), node.id) if bound else ("global", None, node.id)

    def _result(self, call: ast.Call, function: FunctionNode | None, found: set[Place]) -> list[ast.AST]:
        """Find the places from which the result of a call comes: add places to ``found``, and return further
        expressions.
        """
        callee = call.func
        given: list[ast.AST] = [*call.args, *(keyword.value for keyword in call.keywords)]
        if isinstance(callee, ast.Name):
            place = self._name(callee, function)
            if place == ("global", None, callee.id) and callee.id in self.functions:
                found.add(("result", False, callee.id))
                return []
            found.add(("called", place))
            return given if place[0] == "global" and callee.id not in self.classes else []
        if not isinstance(callee, ast.Attribute):
            found |= {("called", place) for place in self._mentioned(callee, function)}
            return []
        if callee.attr in self.defined:
            found.add(("result", True, callee.attr))
            return []
        if callee.attr in _HOLDING:
            return [callee.value]
        root: ast.expr = callee
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and root.id == "self":
            found |= {("called", place) for place in self._mentioned(callee, function)}
        elif isinstance(root, ast.Name) and self._name(root, function)[0] == "global":
            return given
        return []


def _parts(value: ast.expr) -> list[ast.expr] | None:
    """Return the elements of ``(a, b)``, ``[a, b]`` or ``nn.ModuleList([a, b])``; None for other values."""
    if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords:
        value = value.args[0]
    if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) > 1:
        return value.elts
    return None


@astwalk.kept
def _locals(function: FunctionNode) -> frozenset[str]:
    names = {argument.arg for argument in astwalk.walk(function.args) if isinstance(argument, ast.arg)}
    return astwalk.bound(function) | names
