"""Finds tests of ``torch.jit.is_scripting()`` in the author's code."""

from __future__ import annotations

import ast

from tslint.util import astwalk


def asks_is_scripting(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether a node is, in its function, under a test of ``is_scripting()``, so that only compiled code or only
    Python runs it.
    """
    for around in astwalk.around(tree, node):
        if isinstance(around, (ast.IfExp, ast.If)) and _asks(around.test):
            return True
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)):
            break
    return False


def _asks(test: ast.expr) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr == "is_scripting" for each in astwalk.walk(test))
