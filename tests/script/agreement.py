"""Compares the verdicts of the installed compiler and the static model on one text."""

from __future__ import annotations

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, events


def agree(kind: str, text: str) -> None:
    """Check that the compiler accepts the text if ``kind`` is empty, and otherwise stops in a row with an event of that
    kind.
    """
    verdict = the_compiler()(HEAD + text)
    assert verdict.ok is not bool(kind), verdict.message or "compiled"
    found = events(text)
    assert [event.kind for event in found] == ([kind] if kind else []), (found, verdict.message)
    if kind and verdict.lines:
        assert verdict.lines[0] in range(found[0].span.row, found[0].span.end_row + 1)
