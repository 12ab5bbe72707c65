"""Decides whether a function has a body of its own, and whether it returns a value."""

from __future__ import annotations

import ast

from tslint.script.dataflow.definitions import FunctionNode
from tslint.util import astwalk


def does_something(function: FunctionNode) -> bool:
    """Return whether a function has a real body: a method without one is left for subclasses to override."""
    return any(not isinstance(each, (ast.Pass, ast.Raise)) and not _is_constant(each) for each in function.body)


def returns_nothing(function: FunctionNode) -> bool:
    """Return whether a function has a real body, and never returns a value."""
    nested = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
    pending: list[ast.AST] = [*function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)) or (isinstance(node, ast.Return) and node.value is not None):
            return False
        if not isinstance(node, nested):
            pending += astwalk.children(node)
    return does_something(function)


def returns_variable(function: FunctionNode, name: str) -> bool:
    """Return whether a function without return annotation returns a variable, perhaps as an item of a tuple: its result
    has the variable's type.
    """
    values = [each.value for each in astwalk.of_kind(function, ast.Return)] if function.returns is None else []
    parts = [part for each in values for part in (each.elts if isinstance(each, ast.Tuple) else [each])]
    return any(isinstance(part, ast.Name) and part.id == name for part in parts)


def _is_constant(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
