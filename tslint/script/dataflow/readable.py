"""Decides whether torch's front end accepts an expression in code that the compiler then skips."""

from __future__ import annotations

import ast

from tslint.util import astwalk

# Syntax that the front end rejects everywhere, even in code that is not compiled.
_UNREADABLE = (
    ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Set, ast.SetComp, ast.GeneratorExp,
    ast.JoinedStr,
)  # fmt: skip


def readable(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether the front end can read an expression that is not compiled, and its position in the text is
    known.
    """
    if any(isinstance(each, _UNREADABLE) for each in astwalk.walk(node)):
        return False
    # Code in an f-string has no position of its own before Python 3.12.
    return not any(isinstance(each, ast.JoinedStr) for each in astwalk.around(tree, node))
