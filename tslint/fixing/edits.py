"""Applies the edits of fixes to a text: each fix completely or not at all; fixes that overlap wait for the
next round.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import accumulate, pairwise

from tslint.diagnostics import Edit, Fix
from tslint.rulekit.imports import is_import, is_in_import_list, is_item, merged
from tslint.sources.file import SourceFile
from tslint.util.record import record

_WORDS = re.compile(r"\w+|[^\S\n]+|\n|[^\w\s]")
_MOST_WORDS = 6_000


@dataclass(frozen=True, order=True)
class Change:
    """An edit by offsets into the text."""

    start: int
    end: int
    content: str

    def clashes(self, other: Change) -> bool:
        """Return whether the order of two changes matters: they overlap, or one inserts where the other
        begins or ends.
        """
        if self.start == self.end or other.start == other.end:
            return self.start <= other.end and other.start <= self.end
        return self.start < other.end and other.start < self.end


@record
class Applied:
    """The result of a round.

    Args:
        text: the new text.
        fixes: the applied fixes.
        deferred: the fixes that clash with an applied one; they wait for the next round.
        invalid: the fixes whose own edits overlap, or end before they begin.
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
    accepted: list[Change] = []  # sorted by position
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
    """Yield those of several changes that touch a given one; the changes are sorted and do not overlap."""
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
    """Return the edits of a fix as offsets, sorted, with the file's line ends; edits that change nothing
    are left out.
    """
    found: dict[Change, None] = {}
    for edit in fix.edits:
        change = Change(source.offset(edit.start), source.offset(edit.end), _in_lines_of(source, edit))
        if source.text[change.start : change.end] != change.content or change.start > change.end:
            found[change] = None
    # Insertions at one position keep the order of the rule.
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
    """Return whether two insertions at one position are imports, so that their order does not matter."""
    if not (one.start == one.end == other.start == other.end):
        return False
    if is_import(one.content) and is_import(other.content):
        return one.start == 0 or source.text[one.start - 1] in "\r\n"
    return is_item(one.content) and is_item(other.content) and is_in_import_list(source, one.start)


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
    """Return a text with changes applied; they must be in order and must not overlap."""
    parts: list[str] = []
    done = 0
    for change in ordered:
        parts += [text[done : change.start], change.content]
        done = change.end
    return "".join([*parts, text[done:]])


def by_words(text: str, change: Change) -> list[Change]:
    """Split a change into the words that really change, without words that it keeps or only indents."""
    before, after = _WORDS.findall(text[change.start : change.end]), _WORDS.findall(change.content)
    if not before or not after or len(before) + len(after) > _MOST_WORDS:
        return [change]
    starts = list(accumulate(map(len, before), initial=change.start))
    # White space occurs everywhere, so equal white space does not make two words the same.
    matcher = SequenceMatcher(str.isspace, before, after, False)
    found = [
        Change(starts[first], starts[last], "".join(after[other:other_last]))
        for tag, first, last, other, other_last in matcher.get_opcodes()
        if tag != "equal"
    ]
    return [each for each in found if text[each.start : each.end] != each.content]


def origin(ordered: Iterable[Change], offset: int) -> int:
    """Return the offset before the changes for an offset after them; for inserted text, where it was inserted."""
    return traced_back(ordered, offset)[0]


def traced_back(ordered: Iterable[Change], offset: int) -> tuple[int, bool]:
    """Turn an offset after the changes into the one before them; also return whether it is in inserted text."""
    shift = 0
    for change in ordered:
        start = change.start + shift
        if offset < start:
            break
        if offset < start + len(change.content):
            return change.start, True
        shift += len(change.content) - (change.end - change.start)
    return offset - shift, False
