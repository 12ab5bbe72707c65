"""Tests ``export``: with dynamic shapes, only with static ones, or impossible; it never changes the verdict."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.verify.deployed import Conv, Deploy, deploy, exports, infers_dynamic_shapes
from tslint.verify.reports.junit import render as junit
from tslint.verify.results import StageResult, TargetVerdict
from tslint.verify.verdict import Verdict

__all__ = ["deploy"]


class Fixed(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.shape[0] == 4:
            return x + 1
        return x - 1


class Depends(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:
            return x
        return -x


class Pair(torch.nn.Module):
    def forward(self, pair: tuple[torch.Tensor, list[torch.Tensor]], by: int) -> torch.Tensor:
        return pair[0] + pair[1][0] * by


def _row(line: str) -> int:
    lines = [text.strip() for text in Path(__file__).read_text(encoding="utf-8").splitlines()]
    return lines.index(line) + 1


@infers_dynamic_shapes
def test_exports_with_dynamic_shapes(deploy: Deploy) -> None:
    outcome = deploy("export", Conv(), torch.rand(2, 3, 16, 16), modes=("script",))
    assert (outcome.status, outcome.detail) == ("passed", "exports with dynamic shapes: x[0], x[2], x[3]")


@infers_dynamic_shapes
def test_the_set_with_the_most_open_dimensions_is_taken(deploy: Deploy) -> None:
    outcome = deploy("export", Conv(), torch.rand(1, 3, 16, 16), torch.rand(2, 3, 16, 16), modes=("script",))
    assert "x[0]" in outcome.detail


@infers_dynamic_shapes
def test_nested_inputs(deploy: Deploy) -> None:
    outcome = deploy("export", Pair(), ((torch.rand(3), [torch.rand(3)]), 2))
    assert outcome.detail == "exports with dynamic shapes: pair_0[0], pair_1_0[0]"


@infers_dynamic_shapes
def test_exports_only_with_static_shapes(deploy: Deploy) -> None:
    outcome = deploy("export", Fixed(), torch.rand(4), modes=("script",))
    assert outcome.status == "passed"
    assert outcome.detail.startswith("exports only with static shapes: every dimension is fixed by forward (")
    assert outcome.detail.endswith(f"test_export.py:{_row('if x.shape[0] == 4:')})")


@infers_dynamic_shapes
def test_sizes_of_one_cannot_be_dynamic(deploy: Deploy) -> None:
    outcome = deploy("export", torch.nn.ReLU(), torch.rand(1))
    assert outcome.status == "passed"
    assert "pass larger inputs" in outcome.detail


@exports
def test_the_line_that_prevents_export_is_named(deploy: Deploy) -> None:
    outcome = deploy("export", Depends(), torch.rand(4), modes=("script",))
    assert outcome.status == "failed"
    assert outcome.detail.startswith("does not export: ")
    assert f"test_export.py:{_row('if x.sum() > 0:')})" in outcome.detail


@exports
def test_export_does_not_depend_on_script(deploy: Deploy) -> None:
    class Tries(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            try:
                return x + 1
            except ValueError:
                return x

    assert deploy("export", Tries(), torch.rand(3), modes=("script",)).status == "passed"
    assert not deploy.session.compiled


@exports
def test_export_has_a_time_limit_of_its_own(deploy: Deploy, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object, **__: object) -> None:
        while True:
            pass

    monkeypatch.setattr("torch.export.export", endless)
    monkeypatch.setattr("tslint.verify.stages.export.SECONDS", 0.5)
    outcome = deploy("export", torch.nn.ReLU(), torch.rand(3), modes=("trace",))
    assert outcome.status == "unavailable"
    assert outcome.detail == "torch.export takes more than 0.5 s, the time limit of this stage"


def test_a_compiled_module_is_skipped(deploy: Deploy) -> None:
    assert deploy("export", torch.jit.script(torch.nn.ReLU()), torch.rand(3)).status == "skipped"


def test_export_never_changes_the_verdict() -> None:
    names = ("import", "build", "eager", "script", "compare")
    stages = (*(StageResult(name, "passed") for name in names), StageResult("export", "failed", detail="no"))
    target = TargetVerdict("net", stages)
    assert target.verdict == "pass"
    assert target.reason == ""
    written = junit(Verdict("2.13.0", "3.11", (target,)))
    assert 'failures="0"' in written
    assert '<skipped message="no" />' in written
