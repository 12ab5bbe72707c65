"""Renders the changes of fixes as a unified diff."""

from __future__ import annotations

from tslint.sources.file import SourceFile
from tslint.sources.notebook import Notebook
from tslint.util.line_diff import unified


def diff(before: SourceFile, after: SourceFile, name: str) -> str:
    """Return a unified diff between two texts of one file.

    Args:
        before: the old text; line ends are kept.
        after: the new text.
        name: the name of the file; the cells of a notebook have their number after it.
    """
    if isinstance(before, Notebook) and isinstance(after, Notebook):
        cells = zip(before.codes(), after.codes())
        return "".join(diff(old, new, f"{name}:cell {number}") for (number, old), (_, new) in cells)
    parts: list[str] = []
    for line in unified(before.lines, after.lines, name):
        parts.append(line)
        if line.endswith("\r"):
            parts.append("\n")
        elif not line.endswith("\n"):
            parts.append("\n\\ No newline at end of file\n")
    return "".join(parts)
