"""Recognises Python types passed as ``dtype=`` and categories of warnings: names that are not values in compiled code,
and that have rules of their own.
"""

from __future__ import annotations

import libcst as cst

from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.script.events.names import NotAValue

DTYPES = {"builtins.int": "int64", "builtins.float": "float64", "builtins.bool": "bool"}
_DTYPE = m.Arg(keyword=m.Name("dtype"))
_WARN = m.Attribute(attr=m.Name("warn")) | m.Name("warn")


def is_dtype(match: Match[NotAValue]) -> bool:
    """Return whether the event is about a number type that is passed as ``dtype=``."""
    return match.event.name in DTYPES and match.under(match.node, _DTYPE)


def category_of(match: Match[NotAValue]) -> cst.Call | None:
    """Return the call of ``warnings.warn`` whose category the event is about; None for other events."""
    if match.event.what != "Python exception":
        return None
    around = match.parent(match.node)
    if isinstance(around, cst.Arg):
        around = match.parent(around)
    if not isinstance(around, cst.Call) or around.func is match.node:
        return None
    return around if m.matches(around.func, _WARN) else None
