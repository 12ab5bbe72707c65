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


def is_only_compiled(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether a node stands under ``if torch.jit.is_scripting():``, so that Python never runs it."""
    inner = node
    for around in astwalk.around(tree, node):
        if isinstance(around, ast.If) and inner in around.body and isinstance(around.test, ast.Call):
            if _asks(around.test.func):
                return True
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            break
        inner = around
    return False


def _asks(test: ast.expr) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr == "is_scripting" for each in astwalk.walk(test))
