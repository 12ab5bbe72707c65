"""Tests that a second ``--fix`` changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tslint.cli import cli

# A fix writes a new signature, of which only one of the two parameters can be annotated.
TWO_IN_ONE_TEXT = """
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, gamma: float):
        super().__init__()
        self.gamma = gamma

    def forward(self, x, mask=None, pos=None):
        x += x * self.gamma
        if mask is None:
            x = x * issubclass(bool, int)
        else:
            x = x + mask
        if pos is None:
            pos = 1
        return x + pos


class Net(Base):
    def forward(self, x, mask=None, pos=None):
        return Base.forward(self, x, mask, pos)
"""


# Behind the loop over a slice, an error appears that no safe fix removes: then the index is not worth a loop.
UNCOVERED = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.layers = nn.ModuleList()
        for i in range(depth):
            self.layers.append(nn.Dropout(0.5))
        self.n = 2

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = layer(x)
        y = x.new_tensor(x)
        x = self.layers[self.n](x)
        return x.permute(*[1, 0]) + y
"""


def test_a_second_run_with_safe_fixes_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text(UNCOVERED)
    texts = []
    for _ in range(2):
        CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", str(path)])
        texts.append(path.read_text())
    assert texts[0] == texts[1] != UNCOVERED
    assert "self.layers[self.n](x)" in texts[0]


@pytest.mark.parametrize("text", [TWO_IN_ONE_TEXT])
def test_a_second_run_changes_nothing(text: str, tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text(text)
    texts = []
    for _ in range(2):
        CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
        texts.append(path.read_text())
    assert texts[0] == texts[1] != text
    assert "def forward(self, x, mask=None, pos: Optional[int] = None):" in texts[0]
