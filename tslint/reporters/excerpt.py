"""Prints the lines around a finding, and underlines its range."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from tslint.diagnostics import Position
from tslint.reporters.view import clean
from tslint.sources.file import SourceFile

CONTEXT = 1
WIDTH = 160
TAB = 4


def excerpt(
    source: SourceFile, start: Position, end: Position, *, rule: Callable[[str], str], caret: Callable[[str], str]
) -> list[str]:
    """Return numbered lines around a range, the range's first line underlined.

    Args:
        source: the file.
        start, end: the range.
        rule: styles the line numbers and the vertical bar.
        caret: styles the underline.
    """
    rows = range(max(1, start.row - CONTEXT), min(len(source.lines), start.row + CONTEXT) + 1)
    # A blank line at the edge is not informative.
    rows = range(
        next((row for row in rows if source.lines[row - 1].strip() or row == start.row), start.row),
        next((row for row in reversed(rows) if source.lines[row - 1].strip() or row == start.row), start.row) + 1,
    )
    gutter = len(str(rows[-1])) if rows else 1
    bar = " " * gutter + " |"
    lines = [rule(bar)]
    begin = start.column - 1
    for row in rows:
        line = source.lines[row - 1].rstrip("\r\n")
        low, high = 0, len(line)
        if high > WIDTH:
            # A generated line of ten thousand columns: show the part that is meant.
            low = max(0, min(begin - WIDTH // 3, high - WIDTH)) if row == start.row else 0
            high = low + WIDTH
        shown = ("…" if low else "") + _columns(line[low:high]) + ("…" if high < len(line) else "")
        lines.append(f"{rule(f'{row:>{gutter}} |')} {shown}".rstrip())
        if row == start.row:
            stop = end.column - 1 if end.row == start.row else len(line.rstrip())
            blank = _width(("…" if low else "") + _columns(line[low:begin]))
            width = max(1, _width(_columns(line[low : min(stop, high)])) - _width(_columns(line[low:begin])))
            more = "…" if end.row > start.row or stop > high else ""
            lines.append(f"{rule(bar)} {' ' * blank}{caret('^' * width + more)}")
    lines.append(rule(bar))
    return lines


def _columns(text: str) -> str:
    """Return what a terminal can show of a text."""
    return clean(text.expandtabs(TAB))


def _width(text: str) -> int:
    """Return how many columns of a terminal a text fills."""
    if text.isascii():
        return len(text)
    width = 0
    for char in text:
        if unicodedata.combining(char) or unicodedata.category(char) == "Cf":
            continue
        width += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return width
