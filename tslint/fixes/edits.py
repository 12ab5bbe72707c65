"""Applies the edits of fixes to a text: each fix as a unit, overlaps put off."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from tslint.diagnostics import Edit, Fix
from tslint.sources.file import SourceFile


@dataclass(frozen=True, order=True)
class Change:
    """An edit by offsets into the text."""

    start: int
    end: int
    content: str

    def clashes(self, other: Change) -> bool:
        """Whether the outcome of both would depend on their order: they share a character, or an insertion stands
        where the other begins or ends."""
        if self.start == self.end or other.start == other.end:
            return self.start <= other.end and other.start <= self.end
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class Applied:
    """The outcome of a round.

    Args:
        text: the new text.
        fixes: those that were applied.
        deferred: those that clash with one of them: for the next round.
        invalid: those whose own edits overlap, or end before they begin.
    """

    text: str
    fixes: tuple[Fix, ...]
    deferred: tuple[Fix, ...]
    invalid: tuple[Fix, ...]


def apply_fixes(source: SourceFile, fixes: Iterable[Fix]) -> Applied:
    """Apply as many fixes as can be applied at once; the outcome does not depend on their order.

    Edits that several fixes share to the letter (the same import) are applied once.

    Args:
        source: the file that the edits count their places in.
        fixes: any fixes of that file.
    """
    applied: list[Fix] = []
    deferred: list[Fix] = []
    invalid: list[Fix] = []
    accepted: dict[Change, None] = {}
    pending = [(changes(source, fix), fix) for fix in fixes]
    pending.sort(key=lambda entry: (entry[0], entry[1].applicability.value, entry[1].message))
    for own, fix in pending:
        if not own or not _sound(own):
            invalid.append(fix)
            continue
        fresh = [change for change in own if change not in accepted]
        if any(change.clashes(other) for change in fresh for other in accepted):
            deferred.append(fix)
            continue
        accepted.update(dict.fromkeys(fresh))
        applied.append(fix)
    return Applied(_replace(source.text, accepted), tuple(applied), tuple(deferred), tuple(invalid))


def changes(source: SourceFile, fix: Fix) -> list[Change]:
    """The edits of a fix by offsets, in the file's own line ends, sorted; those that change nothing left out."""
    found: dict[Change, None] = {}
    for edit in fix.edits:
        change = Change(source.offset(edit.start), source.offset(edit.end), _in_lines_of(source, edit))
        if source.text[change.start : change.end] != change.content or change.start > change.end:
            found[change] = None
    # Insertions at one place keep the order in which the rule gave them.
    return sorted(found, key=lambda change: (change.start, change.end))


def _in_lines_of(source: SourceFile, edit: Edit) -> str:
    if source.newline == "\n":
        return edit.content
    return re.sub(r"(?<!\r)\n", source.newline, edit.content)


def _sound(own: list[Change]) -> bool:
    if any(change.start > change.end for change in own):
        return False
    return all(before.end <= after.start for before, after in pairwise(own))


def _replace(text: str, accepted: Iterable[Change]) -> str:
    parts: list[str] = []
    done = 0
    for change in sorted(accepted, key=lambda change: (change.start, change.end)):
        parts += [text[done : change.start], change.content]
        done = change.end
    return "".join([*parts, text[done:]])
