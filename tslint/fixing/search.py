"""Searches the largest set of fixes that works, with few runs."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Protocol

from tslint.fixing.circles import Spot

RUNS = 32


class Trial(Protocol):
    """What came of one set of fixes."""

    @property
    def spots(self) -> Collection[Spot]:
        """What was fixed."""

    @property
    def harm(self) -> str:
        """What else than the verdict is different now: outputs, keys; empty where nothing is."""

    @property
    def setback(self) -> str:
        """What is worse than without the fixes, ``harm`` included: a stage that passed and does not now."""

    @property
    def problem(self) -> str:
        """Why the target does not pass with the set, ``setback`` included; empty where it does."""

    @property
    def suspects(self) -> Collection[Spot]:
        """The fixes that may be to blame for the problem."""

    @property
    def unsafe(self) -> Collection[Spot]:
        """The fixes that are not safe."""


Allowed = Callable[[Spot], bool]
Attempt = Callable[[Allowed, bool], Trial]
"""Tries the fixes that are allowed; where the second argument is true, only ``harm`` has to be found out."""


class OutOfRuns(Exception):
    """The target has been run as often as it may be."""


@dataclass
class Found:
    """What a search came to.

    Args:
        best: the set that holds; None for none.
        partial: whether the target does not pass with it; nothing is worse than without.
        left: why fixes were left out, as far as something is known of each.
        last: the problem of the last set that did not hold.
        harmless: the largest set that was run with which nothing is worse than without.
        complete: False where the runs came to an end before the search did.
    """

    best: Trial | None = None
    partial: bool = False
    left: dict[Spot, str] = field(default_factory=dict)
    last: str = ""
    harmless: Trial | None = None
    complete: bool = True


def largest(attempt: Attempt, *, passed_before: bool) -> Found:
    """Search the largest set of fixes that holds.

    First what does harm is found by bisection, one fix at a time. If the rest does not hold, then: where the target
    passed without fixes, what breaks it is found the same way; where it did not, what may be to blame is left out, by
    halves, until the rest holds, and taken in again as far as it goes on holding. Where no set makes it pass, the
    largest one is taken with which nothing is worse than without.

    Args:
        attempt: tries a set; may raise :class:`OutOfRuns`.
        passed_before: whether no fix at all holds.
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
    """The fix with which trouble begins when they are added one after the other, and the trouble."""
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
    """Leave out what may be to blame, at first what is not safe, then ever smaller parts, and take back what can be."""
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
