"""Prints the lines around a finding, and underlines its range."""

from __future__ import annotations

import unicodedata

from tslint.diagnostics import Diagnostic
from tslint.reporters.view import View, clean
from tslint.sources.file import SourceFile

CONTEXT = 1
WIDTH = 160
TAB = 4


def heading(view: View, diagnostic: Diagnostic, source: SourceFile | None, mark: str = "") -> list[str]:
    """Return the title of a finding, its position, and its source if there is one."""
    lines = [f"{view.title(diagnostic)}{mark}: {view.style(clean(diagnostic.message), bold=True)}"]
    gutter = " " * (len(str(diagnostic.start.row + 1)) if source else 1)
    lines.append(f"{gutter}{view.style('-->', fg='blue')} {view.place(diagnostic)}")
    return lines if source is None else lines + _excerpt(view, diagnostic, source)


def notes(view: View, found: list[tuple[str, str]]) -> list[str]:
    """Return the notes below the source, each with its label."""
    sign = view.style("=", fg="blue")
    return [f"  {sign} {view.style(label + ':', bold=True)} {text}" for label, text in found]


def _excerpt(view: View, diagnostic: Diagnostic, source: SourceFile) -> list[str]:
    """Return the numbered lines around a finding, the first line of its range underlined."""
    start, end = diagnostic.start, diagnostic.end

    def rule(text: str) -> str:
        return view.style(text, fg="blue")

    rows = range(max(1, start.row - CONTEXT), min(len(source.lines), start.row + CONTEXT) + 1)
    # Blank lines at the edges are left out.
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
            # Show only a part of a very long line (generated code may have ten thousand columns): the part with the
            # finding.
            low = max(0, min(begin - WIDTH // 3, high - WIDTH)) if row == start.row else 0
            high = low + WIDTH
        shown = ("…" if low else "") + _columns(line[low:high]) + ("…" if high < len(line) else "")
        lines.append(f"{rule(f'{row:>{gutter}} |')} {shown}".rstrip())
        if row == start.row:
            stop = end.column - 1 if end.row == start.row else len(line.rstrip())
            blank = _width(("…" if low else "") + _columns(line[low:begin]))
            width = max(1, _width(_columns(line[low : min(stop, high)])) - _width(_columns(line[low:begin])))
            more = "…" if end.row > start.row or stop > high else ""
            lines.append(f"{rule(bar)} {' ' * blank}{view.severity('^' * width + more, diagnostic.severity)}")
    lines.append(rule(bar))
    return lines


def _columns(text: str) -> str:
    """Return a text with only characters that a terminal can show in columns."""
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
