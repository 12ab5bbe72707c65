"""Recognises parameters whose default is too narrow: 1 where callers may pass 0.5, (1,) where they may pass two."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.shallow import Lookup, type_of
from tslint.util import astwalk


def only_scales(
    tree: ast.Module, function: FunctionNode, name: str, lookup: Lookup, handed_on: Callable[[ast.Call, ast.expr], bool]
) -> bool:  # fmt: skip
    """Return whether each use of a parameter multiplies or divides a tensor by it, or passes it on to a function that
    does that.

    Args:
        tree: the file.
        function: the function that has the parameter.
        name: the parameter.
        lookup: returns the types of the function's other names, without guesses.
        handed_on: returns whether a call passes an argument on to a parameter that only scales tensors.
    """
    uses = [each for each in astwalk.mentions(function).get(name, ()) if isinstance(each, ast.Name)]
    parents = astwalk.parents(function)

    def scales(use: ast.Name) -> bool:
        around = parents.get(use)
        call = parents.get(around) if isinstance(around, ast.keyword) else around
        return handed_on(call, use) if isinstance(call, ast.Call) else _scales(tree, around, use, lookup)

    return bool(uses) and all(map(scales, uses))


def _scales(tree: ast.Module, around: ast.AST | None, use: ast.Name, lookup: Lookup) -> bool:
    if not isinstance(around, (ast.BinOp, ast.AugAssign)) or not isinstance(around.op, (ast.Mult, ast.Div)):
        return False
    left = around.target if isinstance(around, ast.AugAssign) else around.left
    right = around.value if isinstance(around, ast.AugAssign) else around.right
    other, divides = right if left is use else left, right is use
    type_ = type_of(tree, other, lookup)
    # A quotient is a float anyway; a product of unknown numbers may be a size.
    return type_ == "Tensor" or (type_ is None and divides and isinstance(around.op, ast.Div))


def may_be_float(function: FunctionNode, name: str) -> bool:
    """Return whether a function compares a parameter with a literal float, so that it accepts floats although an int
    was passed.
    """
    compared = [[each.left, *each.comparators] for each in astwalk.of_kind(function, ast.Compare)]
    return any(
        any(isinstance(each, ast.Constant) and isinstance(each.value, float) for each in values)
        for values in compared
        if any(astwalk.is_name(each, name) for each in values)
    )


def only_iterated(function: FunctionNode, name: str) -> bool:
    """Return whether a function only loops over a parameter, or takes its length, sum, least or greatest item: then it
    does not matter how many items the parameter has.
    """
    parents = astwalk.parents(function)
    uses = [each for each in astwalk.walk(function) if astwalk.is_name(each, name)]
    return bool(uses) and all(_iterates(parents.get(use), use) for use in uses)


def _iterates(around: ast.AST | None, use: ast.AST) -> bool:
    if isinstance(around, (ast.For, ast.comprehension)):
        return around.iter is use
    if not isinstance(around, ast.Call) or not isinstance(around.func, ast.Name):
        return False
    return around.args == [use] and around.func.id in ("len", "max", "min", "sum")
