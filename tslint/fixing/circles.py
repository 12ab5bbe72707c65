"""Detects fixes after which the same finding occurs again, from the changes of earlier rounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tslint.diagnostics import Diagnostic
from tslint.fixing.edits import Change, by_words, changes, origin
from tslint.rulekit.imports import is_import, is_item
from tslint.sources.file import SourceFile
from tslint.util.record import record

_TWICE = 2


@dataclass(frozen=True, order=True)
class Spot:
    """The identity of a finding over several rounds, independent of what other fixes change around it.

    Args:
        filename: the file.
        offset: where the finding began in the text before all fixes; for text that a fix wrote, where it was inserted.
        code: the rule.
        message: the finding's message, only in text that a fix wrote: all findings in that text have the same offset.
    """

    filename: str
    offset: int
    code: str
    message: str = ""

    def at(self, other: Spot) -> bool:
        """Return whether another finding of the same rule is at the same place, whatever its message is."""
        return (self.filename, self.offset, self.code) == (other.filename, other.offset, other.code)


@record
class Done:
    """A finding that was fixed, with offsets into the text at the start of its round.

    Args:
        spot: the identity of the finding.
        said: the messages of the finding and of its fix.
        start: where the finding began.
        ranges: what its fix replaced, without imports and lines that were only indented.
        changes_before: how many times its file had been changed before.
    """

    spot: Spot
    said: str
    start: int
    ranges: tuple[tuple[int, int], ...]
    changes_before: int

    @classmethod
    def of(cls, spot: Spot, finding: Diagnostic, source: SourceFile, changes_before: int) -> Done:
        """Return the record of a finding whose fix is applied to a file in this round."""
        assert finding.fix is not None
        own = [each for each in changes(source, finding.fix) if not (is_import(each.content) or is_item(each.content))]
        parts = [each for change in own for each in by_words(source.text, change)]
        # Code that a fix only indents does not count as written by it.
        parts = [each for each in parts if each.content.strip() or source.text[each.start : each.end].strip()]
        ranges = tuple((each.start, each.end) for each in parts)
        said = f"{finding.message}: {finding.fix.message}"
        return cls(spot, said, source.offset(finding.start), ranges, changes_before)

    def wrote(self, offset: int) -> bool:
        """Return whether the fix changed the text at an offset."""
        return any(start <= offset < max(end, start + 1) for start, end in self.ranges)


def circling(rounds: Sequence[Iterable[Done]], history: Mapping[str, Sequence[Iterable[Change]]]) -> set[Spot]:
    """Return the spots of findings that come back after their fix: fixed twice with the same message in one place, or
    three times in one place. If three times, the spots of the earlier findings are included.

    Args:
        rounds: the fixed findings of each round.
        history: by file, the changes of each round.
    """
    found: set[Spot] = set()
    for done in rounds[-1] if rounds else ():
        alike: list[set[Spot]] = []
        for earlier in rounds[:-1]:
            alike.append(set())
            for each in earlier:
                met, back = _compared(done, each, history)
                if met:
                    alike[-1].add(each.spot)
                if (met or back) and each.spot.at(done.spot) and each.said == done.said:
                    found.add(done.spot)
        if sum(map(bool, alike)) >= _TWICE:
            found |= {done.spot}.union(*alike)
    return found


def _compared(done: Done, earlier: Done, history: Mapping[str, Sequence[Iterable[Change]]]) -> tuple[bool, bool]:
    """Return whether a finding is inside text that the fix of an earlier finding of the same rule wrote, and whether
    both findings are at the same position.
    """
    if (earlier.spot.filename, earlier.spot.code) != (done.spot.filename, done.spot.code):
        return False, False
    since = history[done.spot.filename][earlier.changes_before : done.changes_before]
    start = _before(since, done.start)
    # Insertions replace nothing: several declarations may be inserted at one place, one for each attribute.
    places = [low for low, high in done.ranges if low < high or done.said == earlier.said]
    met = earlier.wrote(start) or (
        earlier.spot.at(done.spot) and any(earlier.wrote(_before(since, place)) for place in places)
    )
    return met, start == earlier.start


def wrote_into(done: Done, start: int, end: int, history: Mapping[str, Sequence[Iterable[Change]]]) -> bool:
    """Return whether a fix wrote something between two offsets of the text as it is after all rounds."""
    since = history[done.spot.filename][done.changes_before :]
    low, high = _before(since, start), _before(since, end)
    return any(low <= first < high or low < last <= high for first, last in done.ranges)


def _before(changes: Sequence[Iterable[Change]], offset: int) -> int:
    for each in reversed(changes):
        offset = origin(each, offset)
    return offset
