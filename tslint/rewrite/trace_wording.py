"""What several rules of this family say in the same words."""

from __future__ import annotations

import ast

from tslint.rewrite.statements import quote, short
from tslint.rulekit.match import Match

FORMS = {
    "if": "`if`",
    "while": "`while`",
    "conditional": "conditional expression",
    "comprehension": "comprehension",
    "not": "`not`",
    "and": "`and`",
    "or": "`or`",
    "max": "`max()`",
    "min": "`min()`",
}


def deciding(match: Match) -> str:
    """What asks for the truth of a condition."""
    return FORMS.get(match.event.facts["form"], "condition")


def argument(match: Match) -> ast.expr | None:
    """The lone argument of the event's call."""
    node = match.event.node
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        return None if isinstance(node.args[0], ast.Starred) else node.args[0]
    return None


def receiver(match: Match) -> ast.expr | None:
    """What the event's call is a method of."""
    node = match.event.node
    return node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None


__all__ = ["argument", "deciding", "quote", "receiver", "short"]
