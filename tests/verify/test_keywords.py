"""Tests keyword arguments, with which deployed code calls a model whose other arguments keep their defaults."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
import torch
from torch import nn

from tests.verify.conftest import stage
from tests.verify.deployed import EXPORTS, Deploy, deploy
from tslint.verify import Request, run
from tslint.verify.arguments import called

__all__ = ["deploy"]

NET = """
from typing import Optional

import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None, bias: Optional[Tensor] = None) -> Tensor:
        x = self.linear(x)
        if mask is not None:
            x = x * mask
        if bias is not None:
            x = x + bias
        return x


def build():
    return Net(), (torch.rand(2, 4),), {"bias": torch.rand(2, 4)}


def all_by_name():
    return Net(), (), {"x": torch.rand(2, 4), "bias": torch.rand(2, 4)}


def no_dict():
    return Net(), (torch.rand(2, 4),), torch.rand(2, 4)
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "net.py").write_text(NET, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


by_name = pytest.mark.skipif(
    "example_kwarg_inputs" not in inspect.signature(torch.jit.trace).parameters,
    reason="this torch cannot trace with arguments by name",
)


@by_name
@pytest.mark.parametrize(
    ("target", "inputs", "skip"),
    [
        ("net.py:build", None, ()),
        ("net.py:all_by_name", None, ("threads",)),
        ("net.py:Net", "call(torch.rand(2, 4), bias=torch.rand(2, 4))", ("threads",)),
    ],
    ids=["beside what is given by position", "all by name", "of an expression"],
)
def test_arguments_by_name(folder: Path, target: str, inputs: str | None, skip: tuple[str, ...]) -> None:
    request = Request(target, (inputs,) if inputs else (), base=str(folder), skip=skip)
    (found,) = run([request]).targets
    assert found.verdict == "pass", [each for each in found.stages if each.status == "failed"]
    assert stage(found, "reload").detail == "script and trace loaded and run"
    assert stage(found, "compare").detail == "4 outputs as in eager"
    assert stage(found, "generalize").detail.startswith("script and trace as in eager on ")
    assert stage(found, "export").status == EXPORTS


def test_arguments_by_name_that_are_no_dict(folder: Path) -> None:
    (found,) = run([Request("net.py:no_dict", base=str(folder))]).targets
    said = "no_dict() returned of type Tensor after the inputs; keyword arguments must be a dict"
    assert stage(found, "build").detail == said


def test_a_torch_that_cannot_trace_with_names(deploy: Deploy, monkeypatch: pytest.MonkeyPatch) -> None:
    def trace(func: nn.Module, example_inputs: object = None) -> None:
        raise AssertionError

    monkeypatch.setattr(torch.jit, "trace", trace)
    outcome = deploy("trace", nn.ReLU(), called(input=torch.rand(3)), modes=("trace",))
    said = "this torch cannot trace with arguments that are given by name; give them by position"
    assert (outcome.status, outcome.detail) == ("unavailable", said)
