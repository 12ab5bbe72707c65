"""Analyses the uses of a list or tuple in a function."""

from __future__ import annotations

import ast

from tslint.script.dataflow.scopes import function_around, module_bindings
from tslint.script.dataflow.stores import file_facts
from tslint.script.dataflow.taken import taken
from tslint.util import astwalk

_READING = frozenset(["len", "range", "enumerate", "zip", "sum", "min", "max", "sorted", "list", "reversed"])
_ITERATING = _READING | {"map", "tuple"}
_LISTS = frozenset(["List[int]", "List[float]", "int", "one"])


def is_only_read(tree: ast.Module, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Return whether a function uses a sequence only by operations that both lists and tuples have."""
    if name in astwalk.bound(function):
        return False
    parents = astwalk.parents(function)
    for node in astwalk.walk(function):
        if not isinstance(node, ast.Name) or node.id != name:
            continue
        around = parents.get(node)
        item = isinstance(around, ast.Subscript) and around.value is node and not isinstance(around.slice, ast.Slice)
        item = item and isinstance(around.ctx, ast.Load) if isinstance(around, ast.Subscript) else False
        called = False
        call = parents.get(around) if isinstance(around, ast.keyword) else around
        if isinstance(call, ast.Call) and call.func is not node:
            types = taken(tree, call, node, around.arg if isinstance(around, ast.keyword) else None)
            called = bool(types) and all(each in _LISTS for each in types)
        within = isinstance(around, ast.Compare) and isinstance(around.ops[0], (ast.In, ast.NotIn))
        within = within and isinstance(around, ast.Compare) and around.left is not node
        if not (
            _iterates(around, node, _READING)
            or item
            or called
            or within
            or isinstance(around, (ast.Starred, ast.If, ast.While))
        ):
            return False
    return True


def is_only_iterated(tree: ast.Module, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Return whether a function assigns a variable once, and only iterates over its value, or unpacks it."""
    shared = any(name in each.names for each in astwalk.of_kind(function, ast.Global, ast.Nonlocal))
    if shared or _ITERATING & {*module_bindings(tree), *astwalk.bound(function)}:
        return False
    named = [each for each in astwalk.walk(function) if isinstance(each, ast.Name) and each.id == name]
    stores = [each for each in named if not isinstance(each.ctx, ast.Load)]
    parents = astwalk.parents(function)
    return len(stores) == 1 and all(
        each in stores or _iterates(around := parents.get(each), each, _ITERATING) or _unpacks(around) for each in named
    )


def _iterates(around: ast.AST | None, node: ast.Name, functions: frozenset[str]) -> bool:
    """Return whether a loop, or a call of one of the functions, iterates over a variable."""
    if isinstance(around, (ast.For, ast.comprehension)):
        return around.iter is node
    return isinstance(around, ast.Call) and isinstance(around.func, ast.Name) and around.func.id in functions


def _unpacks(around: ast.AST | None) -> bool:
    return isinstance(around, ast.Assign) and all(isinstance(each, (ast.Tuple, ast.List)) for each in around.targets)


def keeps_items(tree: ast.Module, loop: ast.For, items: ast.Name | ast.Attribute) -> bool:
    """Return whether nothing adds, removes or replaces the items of a sequence while a loop iterates over it.

    A variable is assumed to change if the body of the loop mentions it, an attribute if any code of the file changes
    its items, or if the function of the loop gives it another name.
    """
    if isinstance(items, ast.Name):
        return not any(
            isinstance(each, ast.Name) and each.id == items.id for part in loop.body for each in astwalk.walk(part)
        )
    stored = any(
        isinstance(each, ast.Subscript) and not isinstance(each.ctx, ast.Load)
        and isinstance(each.value, ast.Attribute) and each.value.attr == items.attr
        for each in astwalk.walk(tree)
    )  # fmt: skip
    function = function_around(tree, loop)
    named = function is not None and any(_is_passed(tree, each) for each in astwalk.mentions(function)[items.attr])
    return not stored and not named and not file_facts(tree).changes.get(items.attr)


def _is_passed(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether an attribute is the value of other code, which may change its items under another name."""
    around = astwalk.parents(tree).get(node)
    if isinstance(around, ast.Call):
        return around.func is not node and not (isinstance(around.func, ast.Name) and around.func.id in _READING)
    kinds = (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.Lambda, ast.keyword, ast.Tuple, ast.List)
    return isinstance(node, ast.Attribute) and isinstance(around, kinds)
