"""Tests sharing work among processes, forked or spawned; forked ones inherit nothing that is read after they start."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tslint.util import process_pool

# Only Linux forks; elsewhere no processes are started early.
forked_only = pytest.mark.skipif(not process_pool.FORKS, reason="processes are spawned on this system")
here = "before"


def _square(number: int) -> int:
    return number * number


def _where(_: int) -> str:
    return here


def _fail(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return number


def _die(number: int) -> int:
    if number == 3:
        os._exit(1)
    return number


@pytest.fixture(autouse=True)
def nothing_foreign(monkeypatch: pytest.MonkeyPatch) -> None:
    # An earlier test of this process may have imported torch; then processes would be spawned.
    monkeypatch.setattr(process_pool, "_FOREIGN", "none")


@pytest.fixture(params=sorted({process_pool.FORKS, False}), ids=lambda forks: "forked" if forks else "spawned")
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Yield each start method of the system."""
    monkeypatch.setattr(process_pool, "FORKS", request.param)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(("jobs", "items"), [(1, 30), (2, 30), (9, 6)])
def test_results_come_in_the_order_of_the_items(jobs: int, items: int) -> None:
    heard: list[int] = []
    assert process_pool.share(_square, range(items), jobs, heard.append) == [each * each for each in range(items)]
    assert sorted(heard) == [each * each for each in range(items)]


@pytest.mark.usefixtures("way")
def test_results_larger_than_a_pipe() -> None:
    found = process_pool.share(bytes, [3_000_000, 5, 2_000_000, 0], 2, lambda _: None)
    assert [len(each) for each in found] == [3_000_000, 5, 2_000_000, 0]


@pytest.mark.usefixtures("way")
def test_what_a_process_raises_is_raised_here() -> None:
    with pytest.raises(ValueError, match="three"):
        process_pool.share(_fail, range(30), 2, lambda _: None)


@pytest.mark.usefixtures("way")
def test_a_process_that_ends_is_noticed() -> None:
    with pytest.raises(RuntimeError, match=r"was killed|terminated abruptly"):
        process_pool.share(_die, range(30), 2, lambda _: None)


@forked_only
def test_processes_begun_early_do_not_see_what_came_later(monkeypatch: pytest.MonkeyPatch) -> None:
    process_pool.begin(2)
    monkeypatch.setattr(f"{__name__}.here", "after")
    assert process_pool.share(_where, range(4), 2, lambda _: None) == ["before"] * 4
    assert process_pool.share(_where, range(4), 2, lambda _: None) == ["after"] * 4


@forked_only
def test_unused_processes_are_ended() -> None:
    before = _children()
    process_pool.begin(2)
    assert len(_children() - before) == 2
    process_pool.end()
    assert _children() == before
    process_pool.end()


def _children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())
