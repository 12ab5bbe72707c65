"""Searches for the largest set of fixes that works, with few runs."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Protocol

from tslint.fixing.circles import Spot

RUNS = 32


class Trial(Protocol):
    """The result of one set of fixes."""

    @property
    def spots(self) -> Collection[Spot]:
        """Return the applied fixes."""

    @property
    def harm(self) -> str:
        """Return what the fixes changed besides the verdict (outputs, keys of the state_dict); empty if they changed
        nothing.
        """

    @property
    def setback(self) -> str:
        """Return what is worse than without the fixes: ``harm``, or a stage that passed and no longer does."""

    @property
    def problem(self) -> str:
        """Return why the target does not pass with the fixes (``setback`` included); empty if it passes."""

    @property
    def suspects(self) -> Collection[Spot]:
        """Return the fixes that may have caused the problem."""

    @property
    def unsafe(self) -> Collection[Spot]:
        """Return the unsafe fixes."""


Allowed = Callable[[Spot], bool]
Attempt = Callable[[Allowed, bool], Trial]
"""Tries the allowed fixes; if the second argument is true, only ``harm`` has to be determined."""


class OutOfRuns(Exception):
    """The limit on runs of the target is reached."""


@dataclass
class Found:
    """The result of a search.

    Args:
        best: the set that works; None if there is none.
        partial: whether the target does not pass with the set, although nothing is worse than without.
        left: why fixes were left out, if known.
        last: the problem of the last set that failed.
        harmless: the largest tried set with which nothing is worse than without.
        complete: False if the limit on runs was reached before the search ended.
    """

    best: Trial | None = None
    partial: bool = False
    left: dict[Spot, str] = field(default_factory=dict)
    last: str = ""
    harmless: Trial | None = None
    complete: bool = True


def largest(attempt: Attempt, *, passed_before: bool) -> Found:
    """Search for the largest set of fixes that works.

    First, harmful fixes are found by bisection, one at a time. If the remaining ones still fail and the target passed
    before, the fix that breaks it is found in the same way. If the target failed before, suspects are left out by
    halves until the set works, and then added again as long as it works. If no set makes the target pass, the result is
    the largest set with which nothing is worse than without.

    Args:
        attempt: tries a set; may raise :class:`OutOfRuns`.
        passed_before: whether the target passes without fixes.
    """
    found = Found()
    try:
        _search(attempt, passed_before, found)
    except OutOfRuns:
        found.complete = False
    if found.best is None and found.harmless is not None:
        found.best, found.partial = found.harmless, True
        found.left = {spot: why for spot, why in found.left.items() if spot not in found.best.spots}
    return found


def _search(attempt: Attempt, passed_before: bool, found: Found) -> None:
    trial = attempt(_but(()), False)
    while trial.problem and trial.spots:
        found.last = trial.problem
        if trial.harm:
            spot, why = _first(trial, attempt, lambda each: each.harm, only_harm=True)
            found.left[spot] = why
        elif trial.setback and not passed_before:
            spot, why = _first(trial, attempt, lambda each: each.setback, only_harm=False)
            found.left[spot] = why
        elif passed_before:
            spot, why = _first(trial, attempt, lambda each: each.problem, only_harm=False)
            found.left[spot] = why
        else:
            found.harmless = trial
            _reduce(trial, attempt, found)
            return
        trial = attempt(_but(frozenset(found.left)), False)
    if not trial.problem:
        found.best = trial
    else:
        found.last = trial.problem


def _first(
    bad: Trial, attempt: Attempt, trouble: Callable[[Trial], str], *, only_harm: bool
) -> tuple[Spot, str]:  # fmt: skip
    """Find the first fix with which the problem occurs, by bisection over their order; return it with the problem."""
    spots = sorted(bad.spots)
    low, high = 0, len(spots)
    while high - low > 1:
        middle = (low + high) // 2
        trial = attempt(frozenset(spots[:middle]).__contains__, only_harm)
        if trouble(trial):
            high, bad = middle, trial
        else:
            low = middle
    return spots[high - 1], trouble(bad)


def _but(without: Collection[Spot]) -> Allowed:
    return lambda spot: spot not in without


def _reduce(trial: Trial, attempt: Attempt, found: Found) -> None:
    """Leave out suspects in ever smaller parts, unsafe fixes first; then add as many as possible again."""
    known = set(found.left)
    suspects = sorted(trial.suspects)
    parts: list[list[Spot]] = []
    size = len(suspects)
    while size:
        parts += [suspects[start : start + size] for start in range(0, len(suspects), size)]
        size //= 2
    parts.insert(0, [spot for spot in suspects if spot in trial.unsafe])
    tried: set[frozenset[Spot]] = {frozenset()}
    for part in parts:
        if frozenset(part) in tried or len(part) == len(trial.spots):
            continue
        tried.add(frozenset(part))
        attempted = attempt(_but(known | set(part)), False)
        if not attempted.problem:
            found.best = attempted
            found.left.update(dict.fromkeys(part, trial.problem))
            _take_back(part, attempt, found)
            return


def _take_back(part: list[Spot], attempt: Attempt, found: Found) -> None:
    if len(part) == 1:
        return
    for half in (part[: len(part) // 2], part[len(part) // 2 :]):
        trial = attempt(_but(set(found.left) - set(half)), False)
        if trial.problem:
            found.left.update(dict.fromkeys(half, trial.problem))
            _take_back(half, attempt, found)
        else:
            found.best = trial
            for spot in half:
                del found.left[spot]
