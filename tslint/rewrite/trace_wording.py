"""What several rules of this family say in the same words."""

from __future__ import annotations

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
