"""Resolves names as the compiler does at run time (``createResolutionCallbackFromClosure``)."""

from __future__ import annotations

import ast
import builtins
import typing

from tslint.project.closures import closure_value
from tslint.project.definitions import UNDEFINED, Definition, External, Function
from tslint.project.index import Project

# The environment of ir_emitter.cpp knows these names; they have priority over the user's globals.
ENVIRONMENT = frozenset(
    "print tuple float complex int bool str getattr hasattr isinstance range zip enumerate list dict len hex oct round"
    " hash id min max abs all any divmod sum ord chr bin pow sorted slice".split()
)


def runtime_value(project: Project, function: Function, node: ast.expr) -> Definition:
    """Return the definition of a name in a function's closure or globals or, if neither has it at run time, among the
    names of ``typing`` and the builtins.

    A global under ``if TYPE_CHECKING:`` does not exist at run time.
    """
    enclosed = closure_value(function, node)
    if enclosed is not None:
        return enclosed
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name) or not function.module.only_for_type_checkers(root.id):
        return project.resolve_expression(function.module, node)
    for fallback in (typing, builtins) if root is node else ():
        if hasattr(fallback, root.id):
            return External(f"{fallback.__name__}.{root.id}")
    return UNDEFINED
