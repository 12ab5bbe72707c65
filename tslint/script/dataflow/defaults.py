"""Defaults of functions, which a call may pass itself."""

from __future__ import annotations

import ast

from tslint.project.definitions import Function
from tslint.script.dataflow.parameters import default_of
from tslint.script.dataflow.scopes import FunctionNode
from tslint.util import astwalk

_PLAIN = (bool, int, float, str, type(None))


def constant_default(function: FunctionNode, name: str) -> str | None:
    """The default of a parameter as text, where it is a number, a text or None."""
    default = default_of(function, name)
    if not isinstance(default, ast.Constant) or not isinstance(default.value, _PLAIN):
        return None
    text = repr(default.value)
    return text if text not in ("inf", "nan") else None


def is_overridden(tree: ast.Module, function: Function) -> bool:
    """Whether a class of a file has another method of a method's name, which may have another default."""
    return function.owner is not None and any(
        isinstance(each, ast.FunctionDef) and each.name == function.name and each is not function.node
        for each in astwalk.walk(tree)
    )
