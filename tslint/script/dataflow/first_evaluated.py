"""Determines what a statement evaluates first."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint.script.dataflow.evaluation import quiet


def comes_first(statement: ast.stmt, node: ast.expr) -> bool:
    """Return whether an expression is evaluated before every other part of a statement that has an effect."""
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


def reads_first(body: Sequence[ast.stmt], nodes: Sequence[ast.expr]) -> bool:
    """Return whether a block evaluates one of the nodes before anything with an effect, whatever branch it takes."""
    first = body[0]
    if isinstance(first, ast.If):
        both = bool(first.orelse) and quiet(first.test)
        return both and reads_first(first.body, nodes) and reads_first(first.orelse, nodes)
    if isinstance(first, ast.AugAssign) and isinstance(first.target, ast.Name):  # reading the variable has no effect
        first = ast.Expr(first.value)
    return any(comes_first(first, node) for node in nodes)


def named_first(statement: ast.stmt, wanted: ast.NamedExpr) -> bool:
    """Return whether a statement evaluates nothing before it assigns an inner name (``:=``)."""
    node: ast.AST | None
    if isinstance(statement, ast.If):
        node = statement.test
    elif isinstance(statement, (ast.Assign, ast.Return, ast.Expr)):
        node = statement.value
    else:
        return False
    while node is not None and node is not wanted:
        if isinstance(node, ast.Call):
            # Looking up a name has no effect, unless it is the name that is assigned.
            plain = isinstance(node.func, ast.Name) and node.func.id != wanted.target.id
            node = node.args[0] if plain and node.args else node.func
        elif isinstance(node, (ast.Compare, ast.BinOp)):
            node = node.left
        elif isinstance(node, ast.BoolOp):
            node = node.values[0]
        elif isinstance(node, ast.UnaryOp):
            node = node.operand
        elif isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        elif isinstance(node, ast.IfExp):
            node = node.test
        elif isinstance(node, (ast.Tuple, ast.List)) and node.elts:
            node = node.elts[0]
        else:
            return False
    return node is wanted
