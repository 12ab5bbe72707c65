"""Finds which of several definitions of a name a use of the name refers to."""

from __future__ import annotations

import ast

from tslint.project.definitions import AMBIGUOUS, Ambiguous, Class, Function, Module
from tslint.util import astwalk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINED = (*_FUNCTIONS, ast.ClassDef)


def by_flow(module: Module, node: ast.Name) -> Class | Function | Ambiguous | None:
    """Return to which of several definitions of a class or function a use refers: the last one that Python has executed
    at that point.

    In a function between two of the definitions, the result is ``AMBIGUOUS``: the function may run before or after the
    second one. Return None if the order does not matter, or if not all bindings are unconditional definitions.
    """
    bindings = module.bindings.get(node.id, ())
    if len(bindings) < 2 or any(each.conditional or not isinstance(each.node, _DEFINED) for each in bindings):
        return None
    before = [each.node for each in bindings if getattr(each.node, "lineno", 0) <= getattr(node, "lineno", 0)]
    inner: ast.AST = node
    for outer in astwalk.around(module.tree, node):
        if isinstance(outer, ast.Lambda) or (isinstance(outer, _FUNCTIONS) and inner in outer.body):
            return AMBIGUOUS if before and len(before) < len(bindings) else None
        inner = outer
    last = before[-1] if before and inner is not node else None
    if isinstance(last, ast.ClassDef):
        return module.class_(last)
    return module.function(last) if isinstance(last, _FUNCTIONS) else None
