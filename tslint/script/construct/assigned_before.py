"""Finds the value of a variable at a call, if it is assigned more than once: ``net = Net()``, ``net = script(net)``."""

from __future__ import annotations

import ast

from tslint.util import astwalk

_REPEATED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.For, ast.AsyncFor, ast.While)
_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.alias, ast.ExceptHandler, ast.Global)
_BLOCKS = ("body", "orelse", "finalbody")


def assigned_before(tree: ast.AST, node: ast.expr, name: str) -> ast.expr | None:
    """Return the value that was assigned last to a variable before an expression runs.

    Args:
        tree: the file.
        node: an expression in it.
        name: the variable.

    Returns:
        The value, if the last statement before the expression that binds the variable is a plain assignment. None for
        any other binding, and if the assignment is outside a loop or function that contains the expression.
    """
    inner: ast.AST = node
    for outer in astwalk.around(tree, node):
        if isinstance(inner, _REPEATED):
            return None
        for field in _BLOCKS if isinstance(inner, ast.stmt) else ():
            block = getattr(outer, field, None)
            if isinstance(block, list) and inner in block:
                for statement in reversed(block[: block.index(inner)]):
                    if _binds(statement, name):
                        return _plain_value(statement, name)
        inner = outer
    return None


def _binds(statement: ast.stmt, name: str) -> bool:
    return name in astwalk.bound(statement) or any(
        isinstance(each, _DEFINING) or (isinstance(each, ast.Name) and isinstance(each.ctx, ast.Del))
        for each in astwalk.mentions(statement).get(name, ())
    )


def _plain_value(statement: ast.stmt, name: str) -> ast.expr | None:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return statement.value if astwalk.is_name(statement.targets[0], name) else None
    return None
