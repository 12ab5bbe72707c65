"""Tests the model repository for targets that pass: a size is dynamic if other sizes have been shown to work."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from tslint.cli import cli
from tslint.verify.triton import NoConfiguration, configuration

SOURCE = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 4)

    def forward(self, features, weight):
        y = self.layer(features) * weight
        return y, y.sum()

class Scaled(torch.nn.Module):
    def forward(self, x: torch.Tensor, by: int):
        return x * by
"""
CONFIGURATION = """\
name: "net-Net"
backend: "pytorch"
max_batch_size: 0
input [
  {
    name: "features__0"
    data_type: TYPE_FP32
    dims: [ -1, 3 ]
  },
  {
    name: "weight__1"
    data_type: TYPE_FP32
    dims: [ 4 ]
  }
]
output [
  {
    name: "OUTPUT__0"
    data_type: TYPE_FP32
    dims: [ -1, 4 ]
  },
  {
    name: "OUTPUT__1"
    data_type: TYPE_FP32
    dims: [ 1 ]
    reshape: { shape: [ ] }
  }
]
"""


def _verify(folder: Path, monkeypatch: pytest.MonkeyPatch, target: str, inputs: str) -> tuple[int, str, str]:
    (folder / "net.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.chdir(folder)
    stages = "eager,script,generalize,save,compare"
    command = ["verify", f"net.py:{target}", "--inputs", inputs, "--mode", "script", "--stages", stages]
    result = CliRunner().invoke(cli, [*command, "--triton", "served", "--isolated"])
    return result.exit_code, result.stdout, result.stderr


def test_a_repository_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, said, noted = _verify(tmp_path, monkeypatch, "Net", "torch.rand(2, 3), torch.rand(4)")
    assert (status, "archive:" in said) == (0, False), said
    assert "wrote served/net-Net/config.pbtxt" in noted
    assert (tmp_path / "served/net-Net/config.pbtxt").read_text(encoding="utf-8") == CONFIGURATION
    module = torch.jit.load(str(tmp_path / "served/net-Net/1/model.pt"))
    assert module(torch.rand(7, 3), torch.rand(4))[0].shape == (7, 4)


def test_a_target_with_other_inputs_than_tensors_cannot_be_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, said, noted = _verify(tmp_path, monkeypatch, "Scaled", "torch.rand(2, 3), 3")
    assert status == 2
    assert "PASS" in said
    assert "no Triton configuration: Triton sends and receives only tensors: argument 2 is of type int" in noted
    assert not (tmp_path / "served").exists()


def test_a_dtype_that_triton_does_not_have() -> None:
    part = {"name": "x__0", "dtype": "complex64", "sizes": [3]}
    with pytest.raises(NoConfiguration, match="no tensors of complex64"):
        configuration("net", {"inputs": [part], "outputs": []})
