"""Computes fingerprints that identify a finding while the lines around it move."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

from tslint.diagnostics import Diagnostic, Position
from tslint.lint.engine import Report


def fingerprints(report: Report) -> list[str]:
    """Return one fingerprint for each finding of a report, in its order; unique within a file.

    It is computed from the rule, the line, the underlined text, and the number of equal findings before it. Texts are
    used without indentation, and with one blank instead of several. The row and the message are not used: the message
    may mention rows.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    found: list[str] = []
    for each in report.diagnostics:
        key = (each.code, *_snippet(report, each))
        seen[(each.filename, *key)] += 1
        found.append(digest(*key, str(seen[(each.filename, *key)])))
    return found


def digest(*parts: str) -> str:
    """Return 32 hexadecimal digits for the given texts."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _snippet(report: Report, diagnostic: Diagnostic) -> tuple[str, str]:
    """Return the first line of a finding, and the underlined text in it."""
    source = report.sources.get(diagnostic.filename)
    start, end = diagnostic.start, diagnostic.end
    if source is None or start.row > len(source.lines):
        return diagnostic.message, ""
    line = source.lines[start.row - 1]
    stop = end if end.row == start.row else Position(start.row, len(line) + 1)
    return _blanks(line), _blanks(line[start.column - 1 : stop.column - 1])


def _blanks(text: str) -> str:
    return " ".join(text.split())
