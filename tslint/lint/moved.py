"""Moves findings to where their code is after a change above it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tslint.diagnostics import CallStep, Diagnostic, Edit, Fix, Position

Row = Callable[[int], "int | None"]


class Lost(Exception):
    """The code at a position has changed."""


def moved(finding: Diagnostic, row: Row) -> Diagnostic:
    """Return a finding with all its positions moved.

    Args:
        finding: a finding that begins in code that has not changed.
        row: returns where a row is now; None if its code has changed.

    Raises:
        Lost: a position of the finding or of its fix is in changed code.
    """
    start, end = _range(finding.start, finding.end, row)
    return replace(
        finding,
        start=start,
        end=end,
        mistake=finding.mistake and _position(finding.mistake, row),
        compiled_via=tuple(_step(each, finding.filename, row) for each in finding.compiled_via),
        fix=finding.fix and _fix(finding.fix, row),
    )


def _position(position: Position, row: Row) -> Position:
    now = row(position.row)
    if now is None:
        raise Lost
    return Position(now, position.column)


def _range(start: Position, end: Position, row: Row) -> tuple[Position, Position]:
    """Return the positions now; a range may end where the next line begins, in other code."""
    if end.column == 1 and end.row > start.row:
        last = _position(Position(end.row - 1, 1), row)
        return _position(start, row), Position(last.row + 1, 1)
    return _position(start, row), _position(end, row)


def _step(step: CallStep, filename: str, row: Row) -> CallStep:
    return replace(step, position=_position(step.position, row)) if step.filename == filename else step


def _fix(fix: Fix, row: Row) -> Fix:
    edits = []
    for each in fix.edits:
        start, end = _range(each.start, each.end, row)
        edits.append(Edit(start, end, each.content, each.cell))
    return replace(fix, edits=tuple(edits))
