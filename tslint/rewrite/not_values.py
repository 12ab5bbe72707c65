"""Which names that stand for no value in compiled code have a rule of their own."""

from __future__ import annotations

import ast

from tslint.rewrite.statements import parent
from tslint.rulekit.match import Match

DTYPES = {"builtins.int": "int64", "builtins.float": "float64", "builtins.bool": "bool"}


def is_dtype(match: Match) -> bool:
    """Whether the event is about a number type that is given as ``dtype=``."""
    around = parent(match, match.event.node)
    return match.event.facts["name"] in DTYPES and isinstance(around, ast.keyword) and around.arg == "dtype"


def category_of(match: Match) -> ast.Call | None:
    """The call of ``warnings.warn`` whose category the event is about; None for other events."""
    around = parent(match, match.event.node)
    if isinstance(around, ast.keyword):
        around = parent(match, around)
    if match.event.facts["what"] != "Python exception" or not isinstance(around, ast.Call):
        return None
    callee = around.func
    name = callee.attr if isinstance(callee, ast.Attribute) else callee.id if isinstance(callee, ast.Name) else ""
    return around if name == "warn" and around.func is not match.event.node else None
