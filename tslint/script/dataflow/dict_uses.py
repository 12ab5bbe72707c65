"""Finds parameters that are only used as a dict with string keys."""

from __future__ import annotations

import ast

from tslint.util import astwalk
from tslint.util.astwalk import is_name

METHODS = frozenset(["get", "keys", "values", "items"])


def used_as_dict(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> ast.arg | None:
    """Return the parameter, if it has no annotation, is never bound again, and all items and attributes that are read
    of it are those of a dict with string keys; otherwise None.
    """
    for node in astwalk.walk(function):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            return None
        if isinstance(node, ast.Attribute) and is_name(node.value, name) and node.attr not in METHODS:
            return None
        if isinstance(node, ast.Subscript) and is_name(node.value, name) and not _text(node.slice):
            return None
        if isinstance(node, ast.BinOp) and (is_name(node.left, name) or is_name(node.right, name)):
            return None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_name(node.func.value, name):
            if node.func.attr == "get" and not (node.args and _text(node.args[0])):
                return None
    listed = [*function.args.args, *function.args.kwonlyargs]
    return next((each for each in listed if each.arg == name and each.annotation is None), None)


def _text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
