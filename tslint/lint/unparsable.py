"""TS901: files that cannot be read, decoded or parsed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tslint.diagnostics import Diagnostic, Position, Severity, Stage

if TYPE_CHECKING:
    from tslint.sources.file import SourceFile


def unreadable_file(path: Path, reason: str) -> Diagnostic:
    """Return a TS901 for a file whose text is not available.

    Args:
        path: the file.
        reason: what is wrong, such as ``cannot be decoded: …``.
    """
    return Diagnostic(
        code="TS901",
        name="unparsable-file",
        severity=Severity.ERROR,
        stage=Stage.SCRIPT,
        message=reason,
        filename=str(path),
        start=Position(1, 1),
        end=Position(1, 1),
        help="Fix the file, or exclude it with `extend-exclude` if it is not Python source.",
    )


def unparsable(source: SourceFile, error: Exception) -> Diagnostic:
    """Return a TS901 for a file with a syntax error, at its position."""
    error = source.blame(error)
    row = getattr(error, "lineno", None) or 1
    column = getattr(error, "offset", None) or 1
    words = getattr(error, "msg", None) or str(error) or type(error).__name__
    place = Position(max(row, 1), max(column, 1))
    return Diagnostic(
        "TS901",
        "unparsable-file",
        Severity.ERROR,
        Stage.SCRIPT,
        f"cannot be parsed: {words}",
        str(source.path),
        place,
        place,
        help="Fix the syntax error, or exclude the file with `extend-exclude`.",
    )
