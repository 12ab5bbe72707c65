"""Tests that annotations which would break compilation are left out, and no other ones."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from click.testing import CliRunner, Result

from tests.annotate.test_construct import load
from tslint.cli import cli

NET = """\
import torch
from torch import nn


class Masked(nn.Module):
    def forward(self, x, mask=None):
        extra = x
        if mask is not None:
            extra = mask
        else:
            extra = None
        if extra is not None:
            x = x * extra
        return x


class Scaled(nn.Module):
    def scaled(self, x, n):
        return x * n

    def forward(self, x):
        return self.scaled(x, 2)


class Cached(nn.Module):
    def __init__(self):
        super().__init__()
        self.length = None

    def forward(self, x):
        if x.size(0) == self.length:
            return x
        self.length = x.size(0)
        return x * 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.masked, self.scaled, self.cached = Masked(), Scaled(), Cached()

    def forward(self, x):
        return self.scaled(self.masked(x, x) + self.masked(self.cached(x)))
"""


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "net.py"
    path.write_text(NET)
    return path


def annotate(*options: str) -> Result:
    command = ["annotate", "--isolated", "net.py:Net", "--inputs", "torch.rand(2, 4)", *options]
    return CliRunner().invoke(cli, command, catch_exceptions=False)


def test_a_harmful_annotation_is_left_out_and_noted(net: Path) -> None:
    before = load(net)
    torch.jit.script(before.masked)
    with pytest.raises(RuntimeError):
        torch.jit.script(before.scaled)
    result = annotate("--write")
    assert result.exit_code == 0
    assert net.read_text() == NET.replace("x, n)", "x, n: int)", 1)
    said = "6:26: not added: Masked.forward(mask): Optional[Tensor] was seen, but `Masked` would no longer compile"
    assert f"note: net.py:{said}" in result.stderr
    after = load(net)
    torch.jit.script(after.masked)
    torch.jit.script(after.scaled)
    # It compiles after a run, as before.
    after(torch.rand(2, 4))
    torch.jit.script(after.cached)


def test_the_annotation_left_out_is_harmful(net: Path) -> None:
    net.write_text("from typing import Optional\n" + NET.replace("mask=None", "mask: Optional[torch.Tensor] = None"))
    with pytest.raises(RuntimeError, match="previously had type Tensor"):
        torch.jit.script(load(net).masked)


def test_what_does_not_compile_anyway_is_annotated(net: Path) -> None:
    net.write_text(NET.replace("        extra = x\n", "        extra = x\n        assert x.numpy() is not None\n"))
    annotate("--write")
    assert "mask: Optional[torch.Tensor] = None" in net.read_text()
