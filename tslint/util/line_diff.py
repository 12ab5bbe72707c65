"""Compares two texts line by line, as a reader would: a line that is the only one of its kind is not moved."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import Match, SequenceMatcher

# A pair of line numbers, and the pairs before it.
_Chain = tuple[int, int, "_Chain | None"]


class LineMatcher(SequenceMatcher[str]):
    """Matches lines that occur once in both texts first ("patience diff"), and the lines between them as difflib does.

    difflib alone begins with the longest equal block. If a class repeats code, that may be the code of another method,
    and the diff then shows whole methods as removed and added again.
    """

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        super().__init__(None, old, new, autojunk=False)
        found = _joined(_blocks(old, new, (0, len(old)), (0, len(new))))
        self.found = [*found, Match(len(old), len(new), 0)]

    def get_matching_blocks(self) -> list[Match]:
        """Return the equal blocks, in order; the last one is empty."""
        return self.found


def unified(old: Sequence[str], new: Sequence[str], name: str) -> Iterator[str]:
    """Yield the lines of a unified diff, as ``difflib.unified_diff`` does.

    Args:
        old, new: the lines, with their line ends.
        name: the name of the file.
    """
    groups = list(LineMatcher(old, new).get_grouped_opcodes())
    if groups:
        yield from (f"--- {name}\n", f"+++ {name}\n")
    for group in groups:
        spans = _span(group[0][1], group[-1][2]), _span(group[0][3], group[-1][4])
        yield f"@@ -{spans[0]} +{spans[1]} @@\n"
        for kind, start, end, first, last in group:
            if kind == "equal":
                yield from (f" {line}" for line in old[start:end])
            else:
                yield from (f"-{line}" for line in old[start:end])
                yield from (f"+{line}" for line in new[first:last])


def _span(start: int, end: int) -> str:
    length = end - start
    first = start + 1 if length else start
    return f"{first}" if length == 1 else f"{first},{length}"


def _blocks(old: Sequence[str], new: Sequence[str], here: tuple[int, int], there: tuple[int, int]) -> Iterator[Match]:
    """Yield the equal blocks of two ranges of lines, in order."""
    (start, end), (first, last) = here, there
    while start < end and first < last and old[start] == new[first]:
        yield Match(start, first, 1)
        start, first = start + 1, first + 1
    tail = 0
    while start < end - tail and first < last - tail and old[end - tail - 1] == new[last - tail - 1]:
        tail += 1
    end, last = end - tail, last - tail
    anchors = _anchors(old[start:end], new[first:last])
    if not anchors:
        for one, other, size in SequenceMatcher(None, old[start:end], new[first:last], False).get_matching_blocks():
            yield Match(start + one, first + other, size)
    else:
        below, after = start, first
        for one, other in [*((start + one, first + other) for one, other in anchors), (end, last)]:
            yield from _blocks(old, new, (below, one), (after, other))
            below, after = one, other
    yield Match(end, last, tail)


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the longest rising sequence of pairs of equal lines that are unique in both texts."""
    counts, places = Counter(old), {line: number for number, line in enumerate(new)}
    unique = {line for line, count in Counter(new).items() if count == counts[line] == 1}
    ends: list[int] = []  # the least line of `new` with which a sequence of each length ends
    lasts: list[_Chain] = []
    for number, line in enumerate(old):
        if line in unique:
            length = bisect_left(ends, places[line])
            chain: _Chain = (number, places[line], lasts[length - 1] if length else None)
            ends[length : length + 1], lasts[length : length + 1] = [places[line]], [chain]
    found: list[tuple[int, int]] = []
    last = lasts[-1] if lasts else None
    while last is not None:
        one, other, last = last
        found.append((one, other))
    return found[::-1]


def _joined(blocks: Iterable[Match]) -> Iterator[Match]:
    """Yield blocks of which none is empty, and none ends where the next one begins."""
    current = Match(0, 0, 0)
    for one, other, size in blocks:
        if (one, other) == (current.a + current.size, current.b + current.size):
            current = Match(current.a, current.b, current.size + size)
        elif size:
            if current.size:
                yield current
            current = Match(one, other, size)
    if current.size:
        yield current
