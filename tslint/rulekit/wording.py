"""The author's code in messages."""

from __future__ import annotations

_LONGEST = 48


def short(text: str) -> str:
    """A text on one line, not too long, in backticks."""
    line = " ".join(text.split())
    return f"`{line if len(line) <= _LONGEST else line[: _LONGEST - 1] + '…'}`"
