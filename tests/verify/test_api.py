"""Tests ``tslint.verify(module, inputs)``: the package that can be called, and that it does not change the module."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from torch import nn

import tslint
from tests import warm
from tests.verify.conftest import stage
from tslint.verify import VerificationFailed, run
from tslint.verify.api import verify


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """Import what exporting and reloading need, so that not every fork imports it."""
    warm.ready()
    for name in ("torch._dynamo", "torch.export._trace"):
        with contextlib.suppress(ImportError):  # an older torch
            importlib.import_module(name)


class Good(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.linear(x))


class Counts(nn.Module):
    count: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count += 1
        return x * 2


class Rejected(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return undefined_function(x)  # type: ignore[name-defined, no-any-return]  # noqa: F821


class Evil(nn.Module):
    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.what == "exit":
            os._exit(3)
        if self.what == "loop":
            if os.fork() == 0:
                time.sleep(600)
            while True:
                pass
        if self.what == "stdin":
            input()
        os.abort()


class Pair(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x + y


def test_the_package_is_the_function_and_still_a_package() -> None:
    assert callable(tslint.verify)
    assert run.__module__ == "tslint.verify.runner"
    assert inspect.signature(tslint.verify) == inspect.signature(verify)
    code = (
        "import sys, tslint; assert 'tslint.verify' not in sys.modules; "
        "tslint.verify; assert 'torch' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        tslint.nothing  # noqa: B018


def test_a_good_module_passes_after_torch_has_used_its_threads() -> None:
    big = torch.rand(600, 600)
    (big @ big).sum()
    (torch.ones(3, requires_grad=True) * 2).sum().backward()
    module = Good().train()
    verdict = tslint.verify(module, torch.rand(4, 3), torch.rand(2, 3))
    verdict.raise_for_failure()
    assert verdict.passed
    assert verdict.targets[0].target == "Good"
    assert verdict.torch == str(torch.__version__)
    assert stage(verdict.targets[0], "build").detail == "Good, 8 parameters, 2 input sets"
    assert module.training


def test_the_module_is_not_changed() -> None:
    module = Counts()
    verify(module, torch.rand(3), modes="script")
    assert module.count.item() == 0


def test_a_failure_says_where() -> None:
    verdict = verify(Rejected(), torch.rand(3), modes="script")
    assert not verdict.passed
    (finding,) = stage(verdict.targets[0], "script").findings
    assert Path(finding.filename) == Path(__file__).resolve()
    with pytest.raises(VerificationFailed, match="undefined_function") as caught:
        verdict.raise_for_failure()
    assert isinstance(caught.value, AssertionError)
    assert caught.value.verdict is verdict
    assert "FAIL: eager, script failed" in str(caught.value)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("exit", "the process exited with status 3"),
        ("abort", "was killed by SIGABRT at"),
        ("loop", "did not finish within 2 s (--timeout) while at"),
        ("stdin", "raised EOFError"),
    ],
)
def test_a_module_that_crashes_or_hangs_fails_a_stage(what: str, words: str) -> None:
    verdict = verify(Evil(what), torch.rand(3), timeout=2 if what == "loop" else 60)
    eager = stage(verdict.targets[0], "eager")
    assert eager.status == "failed"
    assert words in eager.detail


def test_inputs_are_sets_of_arguments() -> None:
    verdict = verify(Pair(), (torch.rand(3), torch.rand(3)), (torch.rand(2), torch.rand(1)), modes="script")
    assert stage(verdict.targets[0], "eager").status == "passed"


def test_a_builder_is_called(tmp_path: Path) -> None:
    verdict = verify(lambda: (Good(), torch.rand(1, 3)), modes=["script"], save_to=tmp_path / "new", name="a good/one")
    assert verdict.targets[0].target == "a good/one"
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["a-good-one.script.pt"]
    assert torch.jit.load(str(tmp_path / "new" / "a-good-one.script.pt"))(torch.rand(1, 3)).shape == (1, 2)


@pytest.mark.parametrize(
    ("module", "options", "words"),
    [
        (3, {}, "of type int; verify takes an nn.Module class or instance"),
        (Good(), {"modes": "sideways"}, "modes are of 'script' and 'trace', not 'sideways'"),
        (Good(), {"modes": ()}, "modes are missing"),
        (Good(), {"save_to": __file__}, "FileExistsError"),
    ],
)
def test_what_cannot_be_judged_is_an_error_verdict(module: object, options: dict[str, object], words: str) -> None:
    verdict = verify(module, torch.rand(3), **options)  # type: ignore[arg-type]
    assert verdict.targets[0].verdict == "error"
    assert verdict.exit_status == 2
    assert words in verdict.targets[0].reason
    with pytest.raises(VerificationFailed):
        verdict.raise_for_failure()
