"""Finds None among the modules of a container: the compiler leaves it out, so that later items get other indices."""

from __future__ import annotations

import ast

from tslint.script.dataflow.names import short_name
from tslint.util import astwalk

_CONTAINERS = frozenset(["ModuleList", "Sequential"])
_ADDING = frozenset(["append", "extend", "insert"])


def may_hold_none(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether a method of the class around a node both uses containers of modules and puts None into a list."""
    owner = next((each for each in astwalk.around(tree, node) if isinstance(each, ast.ClassDef)), None)
    functions = [each for each in owner.body if isinstance(each, ast.FunctionDef)] if owner is not None else []
    return any(_makes_containers(tree, each) and _puts_none(each) for each in functions)


def _makes_containers(tree: ast.Module, function: ast.FunctionDef) -> bool:
    return any(
        isinstance(each, (ast.Attribute, ast.Name)) and short_name(tree, each) in _CONTAINERS
        for each in astwalk.walk(function)
    )


def _puts_none(function: ast.FunctionDef) -> bool:
    names = {
        target.id
        for each in astwalk.walk(function)
        if isinstance(each, ast.Assign) and _is_none(each.value, frozenset())
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    return any(_is_none(part, frozenset(names)) for each in astwalk.walk(function) for part in _put(each))


def _put(node: ast.AST) -> list[ast.expr]:
    """Return the values that are put into a list."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return node.elts
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        return [node.elt]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ADDING:
        return node.args
    return []


def _is_none(node: ast.expr, names: frozenset[str]) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_none(node.body, names) or _is_none(node.orelse, names)
    if isinstance(node, ast.Name):
        return node.id in names
    return isinstance(node, ast.Constant) and node.value is None
