"""Finds lists that certainly have an element."""

from __future__ import annotations

import ast

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.dimensions import has_dimension, is_indexed, sized_of
from tslint.script.dataflow.local_bindings import only_value
from tslint.script.dataflow.plain_types import is_size
from tslint.script.dataflow.scopes import bound_times, function_around, peeps
from tslint.util import astwalk

_ADDING = frozenset(["append", "extend", "insert"])
_DISPLAYS = (ast.List, ast.Tuple)
_MADE = (*_DISPLAYS, ast.BinOp)
_DEEPEST = 3
TAKES_SIZES = frozenset("view reshape expand permute repeat flip tile new_zeros new_ones new_empty".split())
"""Methods of tensors that accept sizes or dimensions one by one, or as one list."""


def is_never_empty(tree: ast.Module, node: ast.AST, depth: int = 0) -> bool:
    """Return whether an expression is a list or tuple that certainly has an element.

    It may be a literal, the sizes of a tensor with a dimension, a sum of lists, or a variable from which nothing is
    removed, with such a list or with a list of which an item has been read.
    """
    if isinstance(node, _DISPLAYS):
        return any(not isinstance(each, ast.Starred) for each in node.elts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        sides = (node.left, node.right)
        listed = all(_is_list(tree, each, depth) for each in sides)
        return listed and any(is_never_empty(tree, each, depth) for each in sides)
    sized = sized_of(node)
    if sized is not None:
        return has_dimension(tree, sized)
    function = function_around(tree, node) if isinstance(node, ast.Name) else None
    if not isinstance(node, ast.Name) or function is None:
        return False
    named = [each for each in astwalk.walk(function) if isinstance(each, ast.Name) and each.id == node.id]
    if not all(_keeps(function, each) for each in named if isinstance(each.ctx, ast.Load)):
        return False
    if _is_list(tree, node, depth) and is_indexed(tree, node):
        return True
    values = _values(function, node, depth)
    known = values is not None and all(isinstance(each, _MADE) or sized_of(each) is not None for each in values)
    return known and all(is_never_empty(tree, each, depth + 1) for each in values or ())


def _values(function: FunctionNode, node: ast.Name, depth: int) -> list[ast.expr] | None:
    """Return the values that plain assignments give a variable; None if it has others."""
    if depth > _DEEPEST or peeps(function):
        return None
    named = (each for each in astwalk.walk(function) if isinstance(each, ast.Name) and each.id == node.id)
    targets = [each for each in named if isinstance(each.ctx, ast.Store)]
    found = [only_value(function, each) for each in targets]
    values = [each for each in found if each is not None]
    return values if values and len(values) == bound_times(function, node.id) else None


def _is_list(tree: ast.Module, node: ast.AST, depth: int) -> bool:
    """Return whether an expression is a list or tuple by its form."""
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Mult):
            return isinstance(node.left, _DISPLAYS) or isinstance(node.right, _DISPLAYS)
        sides = (node.left, node.right)
        return isinstance(node.op, ast.Add) and all(_is_list(tree, each, depth) for each in sides)
    if isinstance(node, ast.Name):
        function = function_around(tree, node)
        values = _values(function, node, depth) if function is not None else None
        return values is not None and all(_is_list(tree, each, depth + 1) for each in values)
    listed = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple")
    return listed or isinstance(node, _DISPLAYS) or is_size(node)


def _keeps(function: FunctionNode, node: ast.Name) -> bool:
    """Return whether a use of a variable certainly removes no elements from its list."""
    parents = astwalk.parents(function)
    around = parents.get(node)
    if isinstance(around, ast.Attribute):
        return around.attr in _ADDING and isinstance(parents.get(around), ast.Call)
    if isinstance(around, ast.Subscript):
        whole = isinstance(around.ctx, ast.Load) or not isinstance(around.slice, ast.Slice)
        return around.value is node and whole and not isinstance(around.ctx, ast.Del)
    if isinstance(around, ast.Call):
        method = isinstance(around.func, ast.Attribute) and around.func.attr in TAKES_SIZES
        return method or (isinstance(around.func, ast.Name) and around.func.id in ("len", "list", "tuple"))
    return isinstance(around, (ast.Starred, ast.For, ast.comprehension, ast.BinOp))
