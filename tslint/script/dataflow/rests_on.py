"""Finds the parameters without annotation from which the code of a finding is computed, or of which it reads items."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.script.dataflow.definitions import FunctionNode
from tslint.util import astwalk

_MUTATORS = frozenset("append extend insert add update setdefault".split())


def parameter_name(tree: ast.Module, function: FunctionNode, name: str) -> str:
    """Return the name of a parameter in its file: ``Net.step.size``."""
    around = [each.name for each in astwalk.around(tree, function) if isinstance(each, (ast.ClassDef, ast.FunctionDef))]
    return ".".join([*around[::-1], function.name, name])


def rests_on(tree: ast.Module, function: FunctionNode, node: ast.AST) -> tuple[str, ...]:
    """Return the names of the parameters without annotation from which a node's variables are computed anywhere in the
    function; see :func:`parameter_name`.
    """
    flow = _flow(function)
    pending, seen = _names(node), set[str]()
    while pending:
        seen |= pending
        pending = {source for name in pending for source in flow.get(name, ())} - seen
    spec = function.args
    free = [each.arg for each in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs) if each.annotation is None]
    return tuple(parameter_name(tree, function, name) for name in free if name in seen and name != "self")


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in astwalk.walk(node) if isinstance(each, ast.Name)}


@astwalk.kept
def _flow(function: ast.AST) -> dict[str, set[str]]:
    """Return, for each variable, the names from which it is computed."""
    found: dict[str, set[str]] = {}
    for name, value in computed(function):
        found.setdefault(name, set()).update(_names(value))
    return found


def computed(function: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield each variable that a function binds or extends, with the node from which it is computed there."""
    for node in astwalk.walk(function):
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
            yield from ((name, node.value) for name in astwalk.bound(node))
        elif isinstance(node, (ast.For, ast.comprehension)):
            yield from ((name, node.iter) for name in astwalk.bound(node.target))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATORS:
            if isinstance(node.func.value, ast.Name):
                yield node.func.value.id, node


def items_read(function: FunctionNode, node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Yield what a node reads of a parameter without annotation, an item or a method, with the parameter.

    The item may also be a variable: in ``for size in sizes``, and after ``size = sizes[0]``.
    """
    spec = function.args
    free = {each.arg for each in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs) if each.annotation is None}
    free -= {"self", *astwalk.bound(function)}
    sources = _items(function)
    for each in astwalk.walk(node):
        if isinstance(each, ast.Name) and sources.get(each.id) in free:
            yield each, sources[each.id]
        elif isinstance(each, ast.Subscript) and _owner(each) in free:
            yield each, _owner(each)
        elif (
            each is node
            and isinstance(each, ast.Call)
            and isinstance(each.func, ast.Attribute)
            and _owner(each.func) in free
        ):
            yield each.func, _owner(each.func)


def _owner(node: ast.expr) -> str:
    """Return the variable from which a chain of items and attributes starts; empty for other expressions."""
    while isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


@astwalk.kept
def _items(function: ast.AST) -> dict[str, str]:
    """Return, for each variable that is assigned once and is an item of another variable, that variable."""
    found: dict[str, str] = {}
    stores = [each.id for each in astwalk.of_kind(function, ast.Name) if isinstance(each.ctx, ast.Store)]
    for node in astwalk.walk(function):
        if isinstance(node, (ast.For, ast.comprehension)):
            target, source = node.target, _owner(node.iter)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript) and len(node.targets) == 1:
            target, source = node.targets[0], _owner(node.value)
        else:
            continue
        if isinstance(target, ast.Name) and stores.count(target.id) == 1 and source:
            found[target.id] = source
    return found
