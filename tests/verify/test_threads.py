"""Tests ``threads``: the results of a shared instance in each thread."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest
import torch

from tests.verify.deployed import Conv, Counter, Deploy, Random, deploy
from tslint.verify.session import Compiled

__all__ = ["deploy"]


def test_a_pure_module_is_safe_and_its_throughput_is_told(deploy: Deploy) -> None:
    before = torch.get_num_threads()
    outcome = deploy("threads", Conv(), torch.rand(2, 3, 16, 16), torch.rand(1, 3, 8, 8), modes=("script",))
    assert outcome.status == "passed", outcome.detail
    number = r"[\d.,e+]+"
    assert re.fullmatch(
        rf"script: 4 threads on one instance, the same outputs, {number} times one thread's throughput "
        rf"\({number} to {number} calls/s\)",
        outcome.detail,
    )
    assert torch.get_num_threads() == before


def test_a_module_that_keeps_state_is_not_called_safe(deploy: Deploy) -> None:
    outcome = deploy("threads", Counter(), torch.rand(3))
    assert outcome.status == "skipped"
    assert "forward keeps state, so threads must not share an instance; load one for each" in outcome.detail


def test_random_numbers_are_compared_by_their_form(deploy: Deploy) -> None:
    outcome = deploy("threads", Random(), torch.rand(3), modes=("script",))
    assert outcome.status == "passed"
    assert "values are drawn at random" in outcome.detail


class _Racy:
    """An archive whose concurrent calls disturb each other: right with one thread, wrong with several."""

    def __init__(self, error: Exception | None) -> None:
        self.error = error

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        if threading.current_thread() is threading.main_thread():
            return x + 1
        if self.error:
            raise self.error
        return x + 2


@pytest.mark.parametrize(
    ("error", "said"),
    [(None, "3 of 3 values differ by up to 1"), (RuntimeError("lost"), "raised RuntimeError: lost")],
)
def test_other_outputs_and_exceptions_in_a_thread_fail(
    deploy: Deploy, monkeypatch: pytest.MonkeyPatch, error: Exception | None, said: str
) -> None:
    deploy("save", torch.nn.ReLU(), torch.rand(3), modes=("script",))
    loaded: Any = lambda compiled, mode, path: _Racy(error)  # noqa: E731
    monkeypatch.setattr(Compiled, "to_run", loaded)
    outcome = deploy.stage("threads")
    assert outcome.status == "failed"
    assert said in outcome.detail
    assert re.search(r"thread \d of 4", outcome.detail)


def test_nothing_to_call(deploy: Deploy) -> None:
    assert deploy("threads", torch.nn.ReLU()).status == "skipped"
