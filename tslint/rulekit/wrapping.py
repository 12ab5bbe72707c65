"""Breaks the rows of a statement that are too long, as black would; other rows stay unchanged."""

from __future__ import annotations

import ast
import re
import tokenize
import warnings
from collections.abc import Collection, Sequence

from tslint.rulekit.breaking import Piece, Row
from tslint.rulekit.tokens import Tokens
from tslint.rulekit.width import width

# A comment for a tool may have to stay on the row with the code that it is about.
_DIRECTIVE = re.compile(r"#\s*(?:type:|fmt:|noqa|ruff:|pylint:|pyright:|mypy:|pragma|yapf:|isort:|nosec)", re.I)
_STEPS = 200


def broken(text: str, limit: int, step: str, rows: Collection[int] | None = None) -> str:
    r"""Return a logical line in which long rows are broken.

    Args:
        text: the line, with its indentation and its end, ``\n`` between its rows.
        limit: the width of a row.
        step: the indentation of a block in the file.
        rows: the rows that may be broken, from 0; all by default.
    """
    lines = text.split("\n")
    pending = sorted(range(len(lines)) if rows is None else rows, reverse=True)
    meaning = _meaning(text)
    steps = 0
    while pending and meaning is not None and steps < _STEPS:
        number = pending.pop()
        new = _row(lines, number, limit, step, meaning)
        if new is not None:
            steps += 1
            more = len(new) - 1
            lines[number : number + 1] = new
            pending = [each + more for each in pending] + [number + each for each in range(more, -1, -1)]
    return "\n".join(lines)


def _row(lines: Sequence[str], number: int, limit: int, step: str, meaning: str) -> list[str] | None:
    """Return the rows that replace a row that is too long; None to keep it."""
    try:
        tokens = Tokens("\n".join(lines))
    except (tokenize.TokenError, SyntaxError):
        return None
    comment = tokens.comments.get(number)
    code = lines[number][: comment.start] if comment else lines[number]
    if width(code) <= limit or (comment and _DIRECTIVE.match(comment.text)):
        return None
    for pieces in Row(lines, number, tokens, limit, step).breaks():
        new = _with(lines[number], pieces).split("\n")
        # Each new row is shorter than the one that it replaces, so the loop ends.
        if (
            max(map(_size, new)) < _size(lines[number])
            and _meaning("\n".join([*lines[:number], *new, *lines[number + 1 :]])) == meaning
        ):
            return new
    return None


def _size(row: str) -> int:
    return len("".join(row.split()))


def _with(text: str, pieces: Sequence[Piece]) -> str:
    done = 0
    parts: list[str] = []
    for start, end, content in sorted(pieces, key=lambda piece: piece[:2]):
        parts += [text[done:start], content]
        done = end
    return "".join([*parts, text[done:]])


def _meaning(text: str) -> str | None:
    """Return the tree of a logical line as text, to compare meanings; None if it cannot be parsed by itself."""
    body = text.lstrip(" \t\f")
    indent = text[: len(text) - len(body)]
    before = f"if 1:\n{indent}pass\n" if indent else ""
    word = re.match(r"\w+|@|", body)
    opened = {"elif": "if 1: pass", "except": "try: pass"}.get(word.group() if word else "")
    before += f"{indent}{opened}\n" if opened else ""
    end = text if text.endswith("\n") else text + "\n"
    for after in ("", f"{indent} pass\n", f"{indent}def _(): pass\n"):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.dump(ast.parse(before + end + after))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None
