"""Finds the expression in a file that was passed as an argument of a recorded call."""

from __future__ import annotations

import ast

from tslint.annotate.seen import Argument, CallPlace
from tslint.util import astwalk


def argument_of(tree: ast.Module, place: CallPlace, argument: Argument) -> ast.expr | None:
    """Return the expression that a call passes for a parameter; None if there is none, or it cannot be converted."""
    for node in astwalk.walk(tree):
        if isinstance(node, ast.Call) and _place(node) == place:
            found = _passed_value(node, argument)
            converted = isinstance(found, ast.Call) and isinstance(found.func, ast.Name) and found.func.id == "float"
            # For a parameter that may be None, the expression will be written twice, so it must be a simple one.
            left = argument.optional and not isinstance(found, (ast.Name, ast.Attribute, ast.Subscript))
            return None if converted or left else found
    return None


def within(tree: ast.Module, node: ast.expr) -> str:
    """Return the dotted name of the functions and classes around a node, for messages."""
    names = []
    around = astwalk.parents(tree).get(node)
    while around is not None:
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.append(around.name)
        around = astwalk.parents(tree).get(around)
    return ".".join(reversed(names)) or "the module"


def _place(call: ast.Call) -> CallPlace:
    return call.lineno, call.col_offset, call.end_lineno or 0, call.end_col_offset or 0


def _passed_value(call: ast.Call, argument: Argument) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == argument.name:
            return keyword.value
    # In `nn.Dropout.__init__(self, p)` the first argument is `self`.
    base = call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr == "__init__" else None
    if base is not None and not (isinstance(base, ast.Call) and ast.unparse(base.func) == "super"):
        return None
    if argument.index is None or argument.index >= len(call.args):
        return None
    before = call.args[: argument.index + 1]
    return None if any(isinstance(each, ast.Starred) for each in before) else before[-1]
