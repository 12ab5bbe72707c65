"""Determines what is compiled, and through which call path (the counterpart of torch/jit/_recursive.py's stubs).

A :class:`Unit` is one function, compiled for one class of ``self``. Roots are found here; the interpreter finds all
other units where a unit uses them, as the compiler does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from tslint.project.classes import Hierarchy, is_abstract
from tslint.project.definitions import Class, Definition, External, Function, FunctionNode
from tslint.project.index import Project
from tslint.script.assumptions import Assumptions
from tslint.script.operators import Unsupported, module_class
from tslint.script.types import Type
from tslint.util import astwalk

_OVERLOADS = ("_overload", "_overload_method")
_IGNORING = {
    "torch.jit.ignore": "ignore",
    "torch.jit.unused": "unused",
    "torch._jit_internal.ignore": "ignore",
    "torch._jit_internal.unused": "unused",
    "torch.jit._drop": "unused",
    "torch._jit_internal._drop": "unused",
}
# Methods of torch.nn that would compile, but that only constructors call.
_OF_CONSTRUCTORS = {"reset_parameters", "_fill_padding_idx_with_zero"}
_EXPORTING = {"torch.jit.export", "torch._jit_internal.export"}
CACHES = ("functools.lru_cache", "functools.cache")
# Decorators that the compiler does not see, by their effect.
_EFFECTS = {
    "no_grad": ("torch.no_grad", "torch.autograd.no_grad", "torch.autograd.grad_mode.no_grad"),
    "inference_mode": ("torch.inference_mode", "torch.autograd.inference_mode"),
    "enable_grad": ("torch.enable_grad", "torch.autograd.enable_grad", "torch.autograd.grad_mode.enable_grad"),
    "set_grad_enabled": ("torch.set_grad_enabled", "torch.autograd.set_grad_enabled"),
    "autocast": (
        "torch.autocast",
        "torch.amp.autocast",
        "torch.amp.autocast_mode.autocast",
        "torch.cuda.amp.autocast",
        "torch.cuda.amp.autocast_mode.autocast",
        "torch.cpu.amp.autocast",
        "torch.cuda.amp.custom_fwd",
        "torch.amp.custom_fwd",
    ),
}
EFFECTS = {name: effect for effect, names in _EFFECTS.items() for name in names}


@dataclass(eq=False)
class Reach:
    """One way to reach a unit: as a root, or through a use in another unit.

    Args:
        caller: the unit that uses it; None for a root.
        node: the node that uses it; None for a root.
        assumptions: the tests of the constructor that lead to the use.
    """

    caller: Unit | None
    node: ast.AST | None
    assumptions: Assumptions


@dataclass(eq=False)
class Unit:
    """One function, compiled for one class of ``self``.

    Args:
        function: the function.
        receiver: the class of ``self``; None for free functions.
        role: why it is compiled: ``forward``, ``export``, ``property``, ``hook``, ``method``, ``function``, ``script
            class``.
        overloaded: whether it is compiled for several signatures.
        refused: the types of arguments that the signature does not accept, by the ``id`` of their nodes.
    """

    function: Function
    receiver: Class | None
    role: str
    reached: list[Reach] = field(default_factory=list)
    overloaded: bool = False
    refused: dict[int, Type] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the name in the compiler's call stack: ``Net.forward``."""
        return f"{self.receiver.qualname}.{self.function.name}" if self.receiver else self.function.qualname

    @property
    def held_by_module(self) -> bool:
        """Return whether a module reaches this unit: then the module's archive stores the defaults of the function. The
        archive of a single function does not store them.
        """
        pending, seen = [self], {id(self)}
        while pending:
            unit = pending.pop()
            if unit.receiver is not None and unit.role not in ("script class", "function"):
                return True
            callers = [reach.caller for reach in unit.reached if reach.caller is not None]
            pending += [caller for caller in callers if id(caller) not in seen]
            seen.update(map(id, callers))
        return False

    def path(self) -> list[Unit]:
        """Return the units from the root to this one: along the first path without conditions, or the first path if all
        have conditions.
        """
        return self._way(sure=True) or self._way(sure=False) or [self]

    def _way(self, *, sure: bool) -> list[Unit]:
        pending: list[list[Unit]] = [[self]]
        seen = {id(self)}
        while pending:
            way = pending.pop(0)
            for reach in way[0].reached:
                if sure and reach.assumptions:
                    continue
                if reach.caller is None:
                    return way
                if id(reach.caller) not in seen:
                    seen.add(id(reach.caller))
                    pending.append([reach.caller, *way])
        return []

    def conditions(self) -> Assumptions | None:
        """Return the tests under which the unit is compiled, along its first conditional path; None if there is a path
        without conditions.
        """
        pending: list[Unit] = [self]
        seen: set[int] = set()
        found: Assumptions | None = None
        while pending:
            unit = pending.pop()
            if id(unit) in seen:
                continue
            seen.add(id(unit))
            for reach in unit.reached:
                if reach.assumptions:
                    found = found or reach.assumptions
                elif reach.caller is None:
                    return None
                else:
                    pending.append(reach.caller)
        return found


def decorators(function: Function, project: Project) -> list[tuple[ast.expr, Definition]]:
    """Return a function's decorators, each with the definition of its callee."""
    found: list[tuple[ast.expr, Definition]] = []
    for node in function.node.decorator_list:
        target = node.func if isinstance(node, ast.Call) else node
        found.append((node, project.resolve_expression(function.module, target)))
    return found


def exemption(function: Function, project: Project) -> str:
    """Return ``ignore`` or ``unused`` if the compiler does not compile the body, else an empty string."""
    for _, definition in decorators(function, project):
        if isinstance(definition, External) and definition.name in _IGNORING:
            return _IGNORING[definition.name]
    return ""


def cache_of(function: Function, project: Project) -> str:
    """Return the full name of ``functools.lru_cache`` or ``cache``, if it decorates a function, and no other decorator
    outside it hides that; otherwise empty. The compiler looks up a method's globals before it unwraps the cache.
    """
    for _, definition in decorators(function, project):
        if not isinstance(definition, External) or definition.name not in (*_IGNORING, *_EXPORTING, *CACHES):
            return ""
        if definition.name in CACHES:
            return definition.name
    return ""


def declares_overload(function: Function, project: Project) -> bool:
    """Return whether a function is a declaration marked ``_overload`` or ``_overload_method``."""
    if not function.module.says_overload:
        return False
    found = [definition for _, definition in decorators(function, project)]
    return any(isinstance(each, External) and each.name.rpartition(".")[2] in _OVERLOADS for each in found)


def overloads(function: Function, project: Project) -> list[Function]:
    """Return the declarations marked ``_overload`` or ``_overload_method`` that define a function's signatures."""
    if not function.module.says_overload:
        return []
    return [each for each in _namesakes(function) if declares_overload(each, project)]


def overloads_are_sure(function: Function, project: Project) -> bool:
    """Return whether only the declarations above a function are its overloads: the file does not redefine its name."""
    rows = [each.node.lineno for each in _namesakes(function) if declares_overload(each, project)]
    return len(rows) == len(_namesakes(function)) and all(row < function.node.lineno for row in rows)


def _namesakes(function: Function) -> list[Function]:
    """Return the other functions of that name in the same class, or in the module outside of classes and functions."""
    holder = function.owner.node if function.owner is not None else function.module.tree
    others = [node for node in _functions(holder).get(function.name, ()) if node is not function.node]
    return [function.module.function(node, function.owner) for node in others]


@astwalk.kept
def _functions(holder: ast.ClassDef | ast.Module) -> dict[str, list[ast.FunctionDef]]:
    """Return the functions of a class or module by their names, in order, also those inside of ``if`` and ``with``."""
    found: dict[str, list[ast.FunctionDef]] = {}
    todo: list[ast.AST] = [*reversed(holder.body)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(node)
        elif not isinstance(node, (ast.ClassDef, ast.AsyncFunctionDef, ast.expr)):
            todo += reversed(astwalk.children(node))
    return found


def opaque_decorator(function: Function, project: Project) -> Definition | None:
    """Return a decorator that may replace the function; None if all are transparent.

    The decorators of torch and Python are transparent, and so are those whose result is marked with
    ``functools.wraps``: the compiler unwraps it (torch/_sources.py, ``get_source_lines_and_file`` through
    ``inspect.unwrap``).
    """
    for _, definition in decorators(function, project):
        if isinstance(definition, External):
            if definition.name.startswith(("torch.", "builtins.", "abc.", "typing.", "contextlib.")):
                continue
        elif (isinstance(definition, Function) and _wraps(definition, project)) or (
            isinstance(definition, Class) is False and is_property(function, project)
        ):
            continue
        return definition
    return None


def _wraps(decorator: Function, project: Project) -> bool:
    """Return whether a decorator contains a function that is marked with ``functools.wraps``."""
    for node in astwalk.walk(decorator.node):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node is not decorator.node:
            for mark in node.decorator_list:
                target = mark.func if isinstance(mark, ast.Call) else mark
                found = project.resolve_expression(decorator.module, target)
                if isinstance(found, External) and found.name == "functools.wraps":
                    return True
    return False


def wrapper_of(decorator: Definition | None) -> Function | None:
    """Return the nested function that a decorator of the project returns by its name; None if there is none."""
    if not isinstance(decorator, Function):
        return None
    nested = {n.name: n for n in decorator.node.body if isinstance(n, ast.FunctionDef)}
    for node in decorator.node.body:
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Name) and node.value.id in nested:
            return decorator.module.function(nested[node.value.id], None, f"{decorator.qualname}.<locals>.")
    return None


def is_exported(function: Function, project: Project) -> bool:
    """Return whether a method is marked ``@torch.jit.export``."""
    return any(isinstance(d, External) and d.name in _EXPORTING for _, d in decorators(function, project))


def is_staticmethod(function: Function) -> bool:
    """Return whether a method is a static method."""
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in function.node.decorator_list)


def is_property(function: Function, project: Project) -> bool:
    """Return whether a method is a property's getter, setter or deleter."""
    for node, definition in decorators(function, project):
        if isinstance(definition, External) and definition.name == "builtins.property":
            return True
        if isinstance(node, ast.Attribute) and node.attr in ("setter", "deleter", "getter"):
            return True
    return False


def getter_of(function: Function) -> Function | None:
    """Return the getter of a property, for the getter itself or for another method of the property; None if there is
    none. In the class, the name refers to the last of these methods.
    """
    if function.owner is None:
        return None
    if _is_getter(function.node):
        return function
    node = next(filter(_is_getter, _functions(function.owner.node).get(function.name, ())), None)
    return function.module.function(node, function.owner) if node is not None else None


def _is_getter(node: FunctionNode) -> bool:
    return bool(node.decorator_list) and any(
        isinstance(mark, ast.Name) and mark.id == "property" for mark in node.decorator_list
    )


def module_roots(
    hierarchy: Hierarchy, project: Project, unused_properties: frozenset[str]
) -> Iterator[tuple[Function, str]]:
    """Yield the functions that the compiler compiles for a module that is a root, in the compiler's order: properties,
    ``forward`` (or the methods that an inherited ``forward`` of torch calls), exports. Abstract ones are left out,
    because only subclasses have instances.
    """
    defined = hierarchy.members.items()
    members = {name: each for name, each in defined if each.function is None or not is_abstract(each.function, project)}
    for name, member in members.items():
        function = member.function
        if function is None or name in unused_properties or not is_property(function, project):
            continue
        getter = getter_of(function)
        if getter is not None and getter is not function and not exemption(getter, project):
            yield getter, "property"
        if not exemption(function, project):
            yield function, "property"
    forward = members.get("forward")
    if forward is not None and forward.function is not None and not exemption(forward.function, project):
        yield forward.function, "forward"
    if forward is None:  # the `forward` of a torch class, which calls methods of the module
        methods = next((found.methods for base in hierarchy.externals if (found := module_class(base.name))), {})
        called = {name for name, found in methods.items() if not isinstance(found, Unsupported)} - _OF_CONSTRUCTORS
        for name, member in members.items():
            if name in called and member.function is not None and not exemption(member.function, project):
                yield member.function, "method"
    for name in sorted(members):
        function = members[name].function
        if function is not None and name != "forward" and is_exported(function, project):
            yield function, "export"
