"""Tests ``freeze``: a small difference is reported, one beyond the tolerance is a failure."""

from __future__ import annotations

import re

import pytest
import torch

from tests.verify.deployed import Conv, Counter, Deploy, Random, deploy
from tslint.verify.blame import describe
from tslint.verify.limits import limited
from tslint.verify.outcome import Outcome

__all__ = ["deploy"]


def test_drift_is_reported_and_passes(deploy: Deploy) -> None:
    torch.manual_seed(0)
    outcome = deploy("freeze", Conv(), torch.rand(2, 3, 16, 16))
    assert outcome.status == "passed", outcome.detail
    script, trace = outcome.detail.split("; ")
    assert 0 < drift(script) < 1e-4
    assert trace.startswith("trace: values of up to ")
    # Rounding of the usual size needs no warning.
    assert not outcome.evidence


def drift(words: str) -> float:
    """Return the difference in ``script: values of up to 3.1 drift by up to 1e-06, and …``."""
    found = re.fullmatch(r"script: values of up to \S+ drift by up to (\S+), and optimize_for_inference works", words)
    assert found, words
    return float(found[1])


class Folded(torch.nn.Module):
    """A module whose folded weights leave rounding errors of large values in small ones."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(64, 8, 3, bias=False)
        self.norm = torch.nn.BatchNorm2d(8)
        torch.nn.init.constant_(self.norm.running_mean, 100.0)
        torch.nn.init.constant_(self.norm.running_var, 0.01)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Convolve."""
        return self.norm(self.conv(x * 100))


def test_rounding_of_large_values_is_no_failure(deploy: Deploy) -> None:
    torch.manual_seed(0)
    x = torch.rand(1, 64, 16, 16)
    outcome = deploy("freeze", Folded(), x, modes=("script",))
    assert outcome.status == "passed", outcome.detail
    assert drift(outcome.detail) > 1e-5
    strict = deploy("freeze", Folded(), x, modes=("script",), freeze_rtol=0.0, freeze_atol=0.0)
    assert strict.status == "failed"


def test_a_drift_that_no_other_stage_allows_is_a_warning_with_its_size(deploy: Deploy) -> None:
    torch.manual_seed(0)
    x, module = torch.rand(1, 64, 16, 16), Folded()
    with torch.no_grad():
        # The values are close to zero, and their errors are those of large ones.
        module.norm.running_mean.copy_(module.conv(x * 100).mean((0, 2, 3)))
    outcome = deploy("freeze", module, x, modes=("script",))
    assert outcome.status == "passed", outcome.detail
    # Other stages would not allow it, so it is a warning, with the figures.
    (warning,) = outcome.evidence
    assert (warning["code"], warning["severity"]) == ("TS909", "warning")
    assert warning["message"] == f"script: freezing changes {outcome.detail[8:].partition(', and ')[0]}"
    accepted = deploy("freeze", module, x, modes=("script",), freeze_rtol=1e-2, freeze_atol=1e-2)
    assert (accepted.status, accepted.evidence) == ("passed", ())


def test_drift_beyond_the_tolerance_fails(deploy: Deploy) -> None:
    torch.manual_seed(0)
    outcome = deploy("freeze", Conv(), torch.rand(2, 3, 16, 16), rtol=0.0, atol=0.0)
    assert outcome.status == "failed"
    assert "values differ by up to" in outcome.detail
    assert "after it" in outcome.detail


def test_parameters_lose_their_gradient_and_that_is_no_drift(deploy: Deploy) -> None:
    outcome = deploy("freeze", torch.nn.Sequential(torch.nn.ReLU()), torch.rand(3))
    works = ", and optimize_for_inference works"
    assert (outcome.status, outcome.detail) == (
        "passed",
        f"script: the same values{works}; trace: the same values{works}",
    )


def test_state_is_compared_call_by_call(deploy: Deploy) -> None:
    assert deploy("freeze", Counter(), torch.rand(3)).status == "passed"


def test_random_numbers_are_drawn_alike(deploy: Deploy) -> None:
    assert deploy("freeze", Random(), torch.rand(3), modes=("script",)).status == "passed"


def test_a_frozen_module_stays_frozen(deploy: Deploy) -> None:
    frozen = torch.jit.freeze(torch.jit.script(Conv().eval()))
    outcome = deploy("freeze", frozen, torch.rand(1, 3, 8, 8))
    assert (outcome.status, outcome.detail) == ("passed", "script: frozen already")


def test_what_cannot_be_frozen_is_unavailable(deploy: Deploy, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(module: torch.jit.ScriptModule) -> None:
        raise RuntimeError("attempted to freeze a module that returns itself")

    deploy("save", torch.nn.ReLU(), torch.rand(3), modes=("script",))
    monkeypatch.setattr(torch.jit, "freeze", refuse)
    outcome = deploy.stage("freeze")
    assert outcome.status == "unavailable"
    assert outcome.detail == "script: cannot be frozen: attempted to freeze a module that returns itself"


def test_without_archives_freeze_is_skipped(deploy: Deploy) -> None:
    deploy("save", torch.nn.ReLU(), torch.rand(3))
    deploy.session.archives.clear()
    assert deploy.stage("freeze").status == "skipped"


def test_what_optimising_for_inference_changes_is_told(deploy: Deploy, monkeypatch: pytest.MonkeyPatch) -> None:
    def halve(module: torch.jit.ScriptModule) -> torch.jit.ScriptModule:
        halves: torch.jit.ScriptModule = torch.jit.script(torch.nn.Sequential(torch.nn.Threshold(0.5, 0.0)).eval())
        return halves

    monkeypatch.setattr(torch.jit, "optimize_for_inference", halve)
    outcome = deploy("freeze", torch.nn.ReLU(), torch.tensor([0.25, 1.0]), modes=("script",))
    assert (outcome.status, outcome.detail) == (
        "passed",
        "script: the same values, but optimize_for_inference changes it: "
        "output: 1 of 2 values differ by up to 0.25 at (0,) after it",
    )


def test_what_optimising_for_inference_makes_raise_is_told(deploy: Deploy, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(module: torch.jit.ScriptModule) -> None:
        raise RuntimeError("no kernel for this machine")

    monkeypatch.setattr(torch.jit, "optimize_for_inference", refuse)
    outcome = deploy("freeze", torch.nn.ReLU(), torch.rand(3), modes=("script",))
    assert outcome.status == "passed"
    assert outcome.detail.endswith("but after optimize_for_inference it raises: no kernel for this machine")


@pytest.mark.parametrize("step", ["load", "freeze"])
def test_too_little_memory_to_freeze_is_no_fault_of_the_model(
    deploy: Deploy, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def refuse(*arguments: object) -> None:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes")

    deploy("save", torch.nn.ReLU(), torch.rand(3), modes=("script",))
    monkeypatch.setattr(torch.jit, step, refuse)
    with pytest.raises(RuntimeError, match="can't allocate memory") as raised:
        deploy.stage("freeze")
    outcome = limited(Outcome("failed", describe(raised.value)), deploy.session.request)
    assert (outcome.status, outcome.limit) == ("unavailable", True)


def test_too_little_memory_to_optimise_for_inference_is_no_fault_of_the_model(
    deploy: Deploy, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(module: torch.jit.ScriptModule) -> None:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes")

    monkeypatch.setattr(torch.jit, "optimize_for_inference", refuse)
    outcome = deploy("freeze", torch.nn.ReLU(), torch.rand(3), modes=("script",), memory=300)
    assert (outcome.status, outcome.detail) == (
        "passed",
        "script: the same values (optimize_for_inference could not be judged: out of memory: the limit is 300 MiB "
        "above torch (--memory, or memory = … under [tool.tslint.targets.NAME]))",
    )
