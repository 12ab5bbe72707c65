"""Tests that the largest set of fixes that works is found, for any combination of wrong fixes, with few runs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tslint.fixing.circles import Spot
from tslint.fixing.search import Allowed, Found, OutOfRuns, largest

SPOTS = [Spot("net.py", offset, "TS504") for offset in range(12)]
SETS = st.sets(st.sampled_from(SPOTS), max_size=3)


@dataclass
class Fake:
    """A trial without a run."""

    spots: Collection[Spot]
    harm: str
    setback: str
    problem: str
    suspects: Collection[Spot]
    unsafe: Collection[Spot] = ()


@dataclass
class World:
    """The simulated effects of fixes.

    Args:
        harmful: the fixes that change the output.
        breaking: the fixes that keep the output, but with which a stage that passed before fails.
        needed: the fixes that this stage needs: it also fails if one of them is missing.
        most: the limit on runs.
    """

    harmful: Collection[Spot] = ()
    breaking: Collection[Spot] = ()
    needed: Collection[Spot] = ()
    most: int = 10**6
    runs: int = 0

    def attempt(self, allowed: Allowed, only_harm: bool) -> Fake:
        if self.runs == self.most:
            raise OutOfRuns
        self.runs += 1
        spots = frozenset(spot for spot in SPOTS if allowed(spot))
        harm = "other values" if spots & set(self.harmful) else ""
        wrong = spots & set(self.breaking) or not set(self.needed) <= spots
        setback = harm or ("fails" if spots & set(self.breaking) and not only_harm else "")
        return Fake(spots, harm, setback, setback or ("fails" if wrong and not only_harm else ""), spots)

    def search(self) -> Found:
        return largest(self.attempt, passed_before=not self.needed)


@given(SETS, SETS)
def test_every_culprit_is_found_where_it_passed_before(harmful: set[Spot], breaking: set[Spot]) -> None:
    world = World(harmful, breaking)
    found = world.search()
    assert found.best is not None
    assert found.complete
    assert set(found.best.spots) == set(SPOTS) - harmful - breaking
    assert found.left == dict.fromkeys(breaking - harmful, "fails") | dict.fromkeys(harmful, "other values")
    culprits = len(harmful | breaking)
    assert world.runs <= 1 + culprits * (2 + log2(len(SPOTS)))


@given(SETS, st.sampled_from(SPOTS), st.sampled_from(SPOTS))
def test_a_fix_that_breaks_a_stage_is_left_out_if_no_run_passed(
    harmful: set[Spot], breaking: Spot, needed: Spot
) -> None:
    found = World(harmful, {breaking}, {needed}).search()
    assert found.best is not None
    assert set(found.best.spots) == set(SPOTS) - harmful - {breaking}
    assert set(found.left) == harmful | {breaking}
    assert found.partial is (needed in harmful or needed == breaking)


@given(SETS, SETS)
def test_harmless_fixes_are_kept_even_if_no_run_passes(harmful: set[Spot], breaking: set[Spot]) -> None:
    found = World(harmful, breaking, {Spot("net.py", 99, "TS101")}).search()
    assert found.best is not None
    assert found.partial
    assert set(found.best.spots) == set(SPOTS) - harmful - breaking


def test_without_a_harmful_fix_one_run_is_enough() -> None:
    world = World()
    found = world.search()
    assert found.best is not None
    assert (set(found.best.spots), found.left, world.runs) == (set(SPOTS), {}, 1)


@pytest.mark.parametrize("most", [0, 1, 3, 7])
def test_the_runs_come_to_an_end(most: int) -> None:
    world = World(harmful=SPOTS[3:5], most=most)
    found = world.search()
    assert not found.complete
    assert found.best is None
    assert world.runs == most
