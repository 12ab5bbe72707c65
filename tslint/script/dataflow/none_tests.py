"""Finds functions that only return whether their argument is None."""

from __future__ import annotations

import ast

from tslint.script.dataflow.inlining import returned


def tests_for_none(function: ast.AST) -> bool | None:
    """Return what a function returns for None, if it only compares its only parameter with None.

    Returns:
        None for functions that do anything else.
    """
    if not isinstance(function, ast.FunctionDef):
        return None
    spec, result = function.args, returned(function)
    if spec.vararg or spec.kwarg or spec.kwonlyargs or spec.posonlyargs or len(spec.args) != 1:
        return None
    if not isinstance(result, ast.Compare) or len(result.ops) != 1 or not isinstance(result.left, ast.Name):
        return None
    compared = result.comparators[0]
    if result.left.id != spec.args[0].arg or not isinstance(compared, ast.Constant) or compared.value is not None:
        return None
    operator = result.ops[0]
    return isinstance(operator, ast.Is) if isinstance(operator, (ast.Is, ast.IsNot)) else None


def only_argument(call: ast.Call) -> ast.expr | None:
    """Return the only argument of a call, if it is passed by position; otherwise None."""
    if call.keywords or len(call.args) != 1 or isinstance(call.args[0], ast.Starred):
        return None
    return call.args[0]
