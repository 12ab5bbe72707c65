"""Reads the defaults of functions, which a fix may pass explicitly."""

from __future__ import annotations

import ast

from tslint.project.definitions import Function
from tslint.script.dataflow.constants import replaces
from tslint.script.dataflow.definitions import FunctionNode, default_of
from tslint.script.dataflow.stores import file_facts
from tslint.util import astwalk

_PLAIN = (bool, int, float, str, type(None))
_HOLDING = frozenset(["__defaults__", "__kwdefaults__"])
_READING = _HOLDING | {"signature", "getfullargspec"}


def constant_default(function: FunctionNode, name: str) -> str | None:
    """Return the default of a parameter as text, if it is a number, a string or None; otherwise None."""
    default = default_of(function, name)
    if not isinstance(default, ast.Constant) or not isinstance(default.value, _PLAIN):
        return None
    text = repr(default.value)
    return text if text not in ("inf", "nan") else None


def may_be_read(tree: ast.Module) -> bool:
    """Return whether a file may read or change the defaults of a function, for example by ``inspect.signature``."""
    return not _READING.isdisjoint(astwalk.mentions(tree))


def is_overridden(tree: ast.Module, function: Function) -> bool:
    """Return whether a call of a function or method may use other defaults than written: the file changes
    ``__defaults__``, assigns another value to the name, or defines another method with the name.
    """
    if _HOLDING & astwalk.mentions(tree).keys():
        return True
    if function.owner is None:
        facts = file_facts(tree)
        return function.name in facts.stores or function.name in facts.named
    return replaces(tree, function.name) or any(
        isinstance(each, ast.FunctionDef) and each.name == function.name and each is not function.node
        for each in astwalk.walk(tree)
    )
