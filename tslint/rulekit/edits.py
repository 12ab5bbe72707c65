"""Computes the edits between two versions of code, without the text that both versions have in common."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

_WORD = re.compile(r"\r?\n[ \t]*|[^\W]+|[ \t]+|.", re.DOTALL)
# Two changes are joined if less text than this is between them.
_CLOSE = 4
_MOST = 4000


def difference(old: str, new: str) -> list[tuple[int, int, str]]:
    """Return the replacements that turn one text into the other: start and end in the old text, and the new content."""
    one, other = _WORD.findall(old), _WORD.findall(new)
    start = _same(one, other)
    end = _same(one[start:][::-1], other[start:][::-1])
    before, middle, wanted = one[:start], one[start : len(one) - end], other[start : len(other) - end]
    offset = sum(map(len, before))
    if not middle and not wanted:
        return []
    if len(middle) + len(wanted) > _MOST:
        return [(offset, offset + sum(map(len, middle)), "".join(wanted))]
    return [(offset + first, offset + last, text) for first, last, text in _parts(middle, wanted)]


def together(old: str, parts: list[tuple[int, int, str]], indentation: str) -> list[tuple[int, int, str]]:
    """Merge the differences within lines whose indentation changes.

    If the line is moved, an edit of another fix inside it would be applied at the wrong place. With merged differences,
    the two fixes overlap, and the other fix waits for the next round.

    Args:
        old: statements, without the white space before the first one.
        parts: the replacements.
        indentation: that white space.
    """
    places: list[tuple[int, int]] = []
    for start, end, content in parts:
        line = old.rfind("\n", 0, end) + 1
        last = old.find("\n", end)
        last = len(old) if last < 0 else last
        rest = old[end:last]
        if not rest.strip() or not ("\n" in content or "\n" in old[start:end]):
            continue
        before = _blank(old[line:last]) if line else indentation
        if "\n" not in content or _blank(content.rpartition("\n")[2] + rest) != before:
            places.append((start, last))
    if not places:
        return parts
    first, last = min(start for start, _ in places), max(end for _, end in places)
    inside = [part for part in parts if part[1] >= first and part[0] <= last]
    first, last = min(first, inside[0][0]), max(last, inside[-1][1])
    text = ""
    done = first
    for start, end, content in inside:
        text, done = text + old[done:start] + content, end
    whole = (first, last, text + old[done:last])
    return sorted([*(part for part in parts if part not in inside), whole])


def _blank(line: str) -> str:
    """Return the white space at the beginning of a line."""
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def _same(one: list[str], other: list[str]) -> int:
    """Return how many words two texts have in common at their beginnings."""
    return next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


def _parts(one: list[str], other: list[str]) -> Iterator[tuple[int, int, str]]:
    places = [0]
    for word in one:
        places.append(places[-1] + len(word))
    pending: tuple[int, int, str] | None = None
    for tag, first, last, low, high in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        part = (places[first], places[last], "".join(other[low:high]))
        if pending is not None:
            gap = "".join(one)[pending[1] : part[0]]
            if len(gap) < _CLOSE and "\n" not in gap:
                pending = (pending[0], part[1], pending[2] + gap + part[2])
                continue
            yield pending
        pending = part
    if pending is not None:
        yield pending
