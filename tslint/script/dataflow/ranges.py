"""Reads the ends of a ``range``."""

from __future__ import annotations

import ast


def range_ends(node: ast.Call) -> tuple[ast.expr | None, ast.expr] | None:
    """Return the ends of a ``range`` with step one, the first as None if it is 0. Return None for other ranges."""
    if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
        return None
    if len(node.args) not in (1, 2):
        return None
    first, stop = node.args[0], node.args[-1]
    begins = len(node.args) == 1 or (isinstance(first, ast.Constant) and ast.unparse(first) == "0")
    return None if begins else first, stop


def downwards(node: ast.Call) -> tuple[ast.expr, ast.expr] | None:
    """Return the ends of a ``range`` that counts down by one, the lower one first; None for other ranges."""
    if len(node.args) != 3 or node.keywords or ast.unparse(node.args[2]) != "-1":
        return None
    return node.args[1], node.args[0]
