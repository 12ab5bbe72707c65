"""What a statement evaluates first."""

from __future__ import annotations

import ast

from tslint import walking


def comes_first(statement: ast.stmt, node: ast.expr) -> bool:
    """Whether an expression is evaluated before anything else of a statement that does something."""
    current: ast.AST | None = getattr(statement, "value", None)
    while current is not None and current is not node:
        if isinstance(current, ast.Call):
            current = current.func
        elif isinstance(current, ast.BinOp):
            current = current.left
        elif isinstance(current, (ast.Attribute, ast.Subscript)):
            current = current.value
        elif isinstance(current, (ast.Tuple, ast.List)) and current.elts:
            current = current.elts[0]
        else:
            return False
    return current is node and not isinstance(statement, ast.AugAssign)


def only_names(node: ast.AST) -> bool:
    """Whether an argument is made of names, attributes and constants alone."""
    value = node.value if isinstance(node, ast.keyword) else node
    return all(isinstance(each, (ast.Name, ast.Constant, ast.Attribute)) for each in walking.walk(value))
