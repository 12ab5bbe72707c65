"""Applies the edits of fixes to a text: each fix as a unit, overlaps postponed."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import accumulate, pairwise

from tslint.diagnostics import Edit, Fix
from tslint.rulekit.imports import is_import, is_item, lists_names, merged
from tslint.sources.file import SourceFile

_WORDS = re.compile(r"\w+|[^\S\n]+|\n|[^\w\s]")
_MOST_WORDS = 6_000


@dataclass(frozen=True, order=True)
class Change:
    """An edit by offsets into the text."""

    start: int
    end: int
    content: str

    def clashes(self, other: Change) -> bool:
        """Return whether the result depends on the order: the changes overlap, or one inserts where the other begins or
        ends.
        """
        if self.start == self.end or other.start == other.end:
            return self.start <= other.end and other.start <= self.end
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class Applied:
    """The result of a round.

    Args:
        text: the new text.
        fixes: those that were applied.
        deferred: those that clash with an applied one, for the next round.
        invalid: those whose own edits overlap, or end before they begin.
        changes: the changes of the text, in order.
    """

    text: str
    fixes: tuple[Fix, ...]
    deferred: tuple[Fix, ...]
    invalid: tuple[Fix, ...]
    changes: tuple[Change, ...] = ()


def apply_fixes(source: SourceFile, fixes: Iterable[Fix]) -> Applied:
    """Apply as many fixes as can be applied at once; the result does not depend on their order.

    Identical edits of several fixes (the same import) are applied once, and imports at one position are merged.

    Args:
        source: the file that the edits refer to.
        fixes: any fixes of that file.
    """
    applied: list[Fix] = []
    deferred: list[Fix] = []
    invalid: list[Fix] = []
    accepted: list[Change] = []  # in order
    pending = [(changes(source, fix), fix) for fix in fixes]
    pending.sort(key=lambda entry: (entry[0], entry[1].applicability.value, entry[1].message))
    for own, fix in pending:
        if not own or not _sound(own):
            invalid.append(fix)
            continue
        near = {change: list(_near(accepted, change)) for change in own}
        fresh = [change for change in own if change not in near[change]]
        if any(new.clashes(other) and not _join(source, new, other) for new in fresh for other in near[new]):
            deferred.append(fix)
            continue
        for change in fresh:
            insort(accepted, change, key=_place)
        applied.append(fix)
    done = _joined(source, accepted)
    return Applied(replaced(source.text, done), tuple(applied), tuple(deferred), tuple(invalid), tuple(done))


def _near(ordered: Sequence[Change], change: Change) -> Iterator[Change]:
    """Yield those of some ordered, disjoint changes that touch another change."""
    at = bisect_left(ordered, _place(change), key=_place)
    for before in range(at - 1, -1, -1):
        if ordered[before].end < change.start:
            break
        yield ordered[before]
    for after in range(at, len(ordered)):
        if ordered[after].start > change.end:
            break
        yield ordered[after]


def _place(change: Change) -> tuple[int, int]:
    return change.start, change.end


def changes(source: SourceFile, fix: Fix) -> list[Change]:
    """Return the edits of a fix by offsets, with the file's line ends, sorted; without those that change nothing."""
    found: dict[Change, None] = {}
    for edit in fix.edits:
        change = Change(source.offset(edit.start), source.offset(edit.end), _in_lines_of(source, edit))
        if source.text[change.start : change.end] != change.content or change.start > change.end:
            found[change] = None
    # Insertions at one place keep the order in which the rule gave them.
    return sorted(found, key=_place)


def _in_lines_of(source: SourceFile, edit: Edit) -> str:
    if source.newline == "\n":
        return edit.content
    return re.sub(r"(?<!\r)\n", source.newline, edit.content)


def _sound(own: list[Change]) -> bool:
    if any(change.start > change.end for change in own):
        return False
    return all(before.end <= after.start for before, after in pairwise(own))


def _join(source: SourceFile, one: Change, other: Change) -> bool:
    """Return whether two additions at one position are imports, so that their order does not matter."""
    if not (one.start == one.end == other.start == other.end):
        return False
    if is_import(one.content) and is_import(other.content):
        return one.start == 0 or source.text[one.start - 1] in "\r\n"
    return is_item(one.content) and is_item(other.content) and lists_names(source, one.start)


def _joined(source: SourceFile, accepted: Iterable[Change]) -> list[Change]:
    """Return changes in order, with imports at one position merged."""
    found: list[Change] = []
    pending = sorted(accepted, key=_place)
    while pending:
        change = pending.pop(0)
        contents = [change.content]
        while pending and _join(source, change, pending[0]):
            contents.append(pending.pop(0).content)
        found.append(replace(change, content=merged(contents)) if len(contents) > 1 else change)
    return found


def replaced(text: str, ordered: Iterable[Change]) -> str:
    """Return a text with changes applied, which are in order and disjoint."""
    parts: list[str] = []
    done = 0
    for change in ordered:
        parts += [text[done : change.start], change.content]
        done = change.end
    return "".join([*parts, text[done:]])


def by_words(text: str, change: Change) -> list[Change]:
    """Split a change into the words that really change: words that it keeps, or only indents, are left out."""
    before, after = _WORDS.findall(text[change.start : change.end]), _WORDS.findall(change.content)
    if not before or not after or len(before) + len(after) > _MOST_WORDS:
        return [change]
    starts = list(accumulate(map(len, before), initial=change.start))
    # Blanks are everywhere: they are no reason to take one word for another.
    matcher = SequenceMatcher(str.isspace, before, after, False)
    found = [
        Change(starts[first], starts[last], "".join(after[other:other_last]))
        for tag, first, last, other, other_last in matcher.get_opcodes()
        if tag != "equal"
    ]
    return [each for each in found if text[each.start : each.end] != each.content]


def origin(ordered: Iterable[Change], offset: int) -> int:
    """Return the offset before the changes for an offset after them; in inserted text, where that begins."""
    return traced_back(ordered, offset)[0]


def traced_back(ordered: Iterable[Change], offset: int) -> tuple[int, bool]:
    """Return the offset before the changes for an offset after them, and whether it is in inserted text."""
    shift = 0
    for change in ordered:
        start = change.start + shift
        if offset < start:
            break
        if offset < start + len(change.content):
            return change.start, True
        shift += len(change.content) - (change.end - change.start)
    return offset - shift, False
