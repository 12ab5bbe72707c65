"""Tests that each stage begins with the module as it was built, and that a crash of one process does not end the
others.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import List, Union  # noqa: UP035

import pytest
import torch
from torch import nn
from torch.nn.utils import parametrize

import tslint
from tslint.verify.results import StageResult
from tslint.verify.verdict import Verdict

X = torch.rand(2, 3, 8)


class Half(nn.Module):
    """A parametrization."""

    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        """Halve."""
        return weight / 2


class Prepared(nn.Module):
    """A module that removes its parametrization before compilation. This changes its class, which copies share."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv1d(3, 3, 3)
        parametrize.register_parametrization(self.conv, "weight", Half())

    def __prepare_scriptable__(self) -> nn.Module:
        """Remove the parametrization, as torchaudio's models do."""
        if parametrize.is_parametrized(self.conv):
            parametrize.remove_parametrizations(self.conv, "weight")
        return self

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Convolve."""
        return self.conv(x)


class Crashes(nn.Module):
    """A module that crashes the process when it is traced."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Double."""
        if not torch.jit.is_scripting():
            self.crash()
        return x * 2

    @torch.jit.unused
    def crash(self) -> None:
        """Crash."""
        if torch.jit.is_tracing():
            import os

            os.abort()


class Counts(nn.Module):
    """A module with state in a buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Count."""
        self.count += 1
        return x + self.count.sum()


class Waits(nn.Module):
    """A module that needs a thread, which forks do not have."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.answered = threading.Event(), threading.Event()
        threading.Thread(target=self.answer, daemon=True).start()

    def answer(self) -> None:
        """Answer forever."""
        while self.asked.wait():
            self.asked.clear()
            self.answered.set()

    def __deepcopy__(self, memo: object) -> nn.Module:
        return self

    @torch.jit.unused
    def ask(self) -> None:
        """Wait for the answer."""
        self.answered.clear()
        self.asked.set()
        assert self.answered.wait(20)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Ask, and double."""
        if not torch.jit.is_scripting():
            self.ask()
        return x * 2


def stages(verdict: Verdict) -> dict[str, StageResult]:
    return {each.name: each for each in verdict.targets[0].stages}


@contextmanager
def threads(number: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def test_what_compiling_does_to_a_class_is_seen_by_no_other_stage() -> None:
    verdict = tslint.verify(Prepared().eval(), X)
    assert verdict.passed, verdict.to_json()
    assert "no other" not in stages(verdict)["generalize"].detail


def test_a_crash_ends_one_stage() -> None:
    found = stages(tslint.verify(Crashes(), X))
    assert found["trace"].status == "failed"
    assert found["trace"].detail.startswith("the process was killed by SIGABRT at ")
    assert [found[name].status for name in ("script", "generalize", "save", "reload", "compare")] == ["passed"] * 5


def test_archives_hold_the_state_of_the_built_module() -> None:
    assert tslint.verify(Counts(), X).passed


def test_a_large_module_does_not_wait_for_threads_that_no_fork_has() -> None:
    with threads(2):
        large = nn.Sequential(nn.Linear(512, 512), nn.ReLU())
        large(torch.rand(256, 512))
        assert tslint.verify(large, torch.rand(256, 512), modes="script", timeout=60).passed


def test_threads_of_the_module_work_in_a_fork() -> None:
    verdict = tslint.verify(Waits, X, modes="script", timeout=60)
    assert verdict.passed, verdict.to_json()


@pytest.mark.parametrize("mode", ["script", "trace"])
def test_modules_that_are_already_compiled_are_verified(mode: str) -> None:
    module = torch.jit.script(Counts()) if mode == "script" else torch.jit.trace(nn.Linear(3, 3), torch.rand(2, 3))
    assert tslint.verify(module, X if mode == "script" else torch.rand(2, 3)).passed


class Either(nn.Module):
    """Compiles and is saved as code that torch cannot read again."""

    def forward(self, x: Union[torch.Tensor, List[torch.Tensor]]) -> torch.Tensor:  # noqa: UP006, UP007
        """Triple, in some way."""
        times = 1
        if isinstance(x, torch.Tensor):
            x, times = x * 2, 3
        elif isinstance(x, List[torch.Tensor]):  # noqa: UP006
            x = [x[0] + 1]
        return x * times if isinstance(x, torch.Tensor) else x[0]


def test_an_archive_that_cannot_be_loaded_fails_reload_and_nothing_else() -> None:
    verdict = tslint.verify(Either(), X, modes="script")
    failed = [stage for stage in verdict.targets[0].stages if stage.status == "failed" and stage.name != "export"]
    assert [stage.name for stage in failed] == ["reload"]
    assert failed[0].detail.startswith("script: cannot be loaded: RuntimeError: Type mismatch: x0 is set to type ")
    assert failed[0].detail.endswith(" (code/__torch__/tests/verify/test_forked_stages.py:9 in the archive)")
