"""Tests observing calls: what is reported, and the cost."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
import torch

from tslint.annotate.observer import Observer, Tracing, Watcher
from tslint.verify.request import Request
from tslint.verify.session import Session


class Recorder:
    """Records what it receives."""

    lines = False

    def __init__(self) -> None:
        self.calls: list[tuple[str, Any]] = []

    def called(self, frame: FrameType) -> None:
        self.calls.append(("called", dict(frame.f_locals)))

    def at_line(self, frame: FrameType) -> None:
        self.calls.append(("line", frame.f_lineno))

    def returned(self, frame: FrameType, value: Any) -> None:
        self.calls.append(("returned", value))


def fails(x: int) -> int:
    if x:
        raise ValueError
    return fails_not(x)


def fails_not(x: int) -> int:
    try:
        return fails(x + 1)
    except ValueError:
        pass
    return x


def nothing() -> None:
    try:
        fails(1)
    except ValueError:
        return None


def observe(recorder: Recorder, *watched: Any) -> Observer:
    codes = {function.__code__ for function in watched}

    def watch(code: CodeType, frame: FrameType) -> Watcher | None:
        return recorder if code in codes else None

    return Tracing(watch)


def test_calls_and_returns_are_recorded_and_exceptions_are_not() -> None:
    recorder = Recorder()
    with observe(recorder, fails):
        fails(0)
    assert recorder.calls == [("called", {"x": 0}), ("called", {"x": 1}), ("returned", 0)]
    assert sys.gettrace() is None


def test_a_returned_none_is_recorded() -> None:
    recorder = Recorder()
    with observe(recorder, nothing):
        nothing()
    assert recorder.calls == [("called", {}), ("returned", None)]


SOURCE = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(32, 32)
        self.last = None

    def scaled(self, x, by, sizes, mask=None):
        found = []
        for size in sizes:
            found.append(size + 1)
        return x * by

    def forward(self, x):
        self.last = self.scaled(self.layer(x), 0.5, [1, 2, 3])
        return torch.relu(self.last)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(100))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
"""


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Limit torch to one thread: on a busy machine, threads that wait for each other can take very long."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.usefixtures("one_thread")
def test_watching_takes_at_most_five_times_as_long(tmp_path: Path) -> None:
    from tslint.annotate.observe import Project

    path = tmp_path / "costly.py"
    path.write_text(SOURCE, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "costly"}
    exec(compile(SOURCE, str(path), "exec"), names)
    net, x = names["Net"](), torch.rand(16, 32)
    project = Project(Session(Request(f"{path}:Net", base=str(tmp_path)), tmp_path))

    def plain() -> None:
        net(x)

    def watched() -> None:
        with Tracing(project.watch):
            net(x)

    plain()
    assert fastest(watched) <= 5 * fastest(plain)
    (seen,) = project.seen().values()
    assert sorted(calls.number for calls in seen.calls.values()) == [20, 2000, 2000]


def fastest(function: Any) -> float:
    """Return the processor time of this thread, so that other processes do not count."""
    times = []
    for _ in range(20):
        start = time.thread_time()
        function()
        times.append(time.thread_time() - start)
    return min(times)
