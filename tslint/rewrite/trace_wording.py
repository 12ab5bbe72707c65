"""Contains texts that several tracing rules use in their messages."""

from __future__ import annotations

from tslint.rulekit.match import Match
from tslint.script.events.tracing import OfForm

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


def deciding(match: Match[OfForm]) -> str:
    """Return the description of the construct that evaluates the condition, for messages."""
    return FORMS.get(match.event.form, "condition")


def part(match: Match[OfForm]) -> str:
    """Return the description of the code that depends on the condition."""
    return "loop" if match.event.form == "while" else "branch"
