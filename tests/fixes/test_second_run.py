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

# The annotations of `Map` are left out, because `forward` does not compile with them, in any order.
REJECTED_TOO_EARLY = """
import torch
from torch import nn
from torch.nn import functional as F


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict(self.make_heads())

    def make_heads(self):
        return {}

    def finish(self, pred):
        return pred

    def losses(self, preds, label):
        raise NotImplementedError

    def forward(self, x, label, train):
        pred = {}
        for name, head in self.heads.items():
            pred[name] = head(x)
        if train:
            losses = self.losses(pred, label)
            pred = self.finish(pred)
            loss = sum(losses.values())
            return loss, pred, losses
        else:
            pred = self.finish(pred)
            return pred


class Map(Base):
    def make_heads(self):
        return {"map": nn.Linear(4, 4)}

    def finish(self, pred):
        pred["map"] = torch.sigmoid(pred["map"])
        return pred

    def losses(self, pred, label):
        target = label["map"]
        guess = pred["map"]
        return {"map": F.mse_loss(guess, target)}


class Box(Base):
    def make_heads(self):
        return {"map": nn.Linear(4, 4), "box": nn.Linear(4, 4)}

    def finish(self, pred):
        pred["map"] = torch.sigmoid(pred["map"])
        return pred

    def losses(self, pred, label):
        target = label["map"]
        guess = pred["map"]
        return {"map": F.mse_loss(guess, target), "box": F.mse_loss(pred["box"], target)}
"""

# The sum does not compile if `bias` is false, and its fix is left out: then the other one under this condition is, too.
UNDER_ONE_CONDITION = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, bias):
        super().__init__()
        self.norm = nn.LayerNorm(4) if bias else None
        self.stored = None

    def set_stored(self, t):
        self.stored = t.detach().mean(0)

    def forward(self, x):
        if self.norm:
            ok = x == None
        else:
            if self.stored is None:
                self.set_stored(x)
            x = x + self.stored
            x = x.float() * (0.5 if self.training else 0)
        return torch.tanh(x)
"""

# The annotation of `stored` keeps both classes from compiling; that of `Net.forward` keeps none from it.
ONE_FOR_TWO_CLASSES = """
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, flag: bool):
        super().__init__()
        if flag:
            self.stored = torch.ones(4)
        else:
            self.stored = None
        self.layers = nn.ModuleList([nn.LayerNorm(4)])

    def forward(self, x, bias=None):
        if bias == None:
            self.stored = x.detach().mean(0)
        if self.stored is not None:
            x = x + self.stored
        for m in self.layers[:self.layers]:
            x = m(x)
        return x


class Net(Base):
    def forward(self, x, bias=None):
        x = x + 1
        return super(Net, self).forward(x, bias)
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


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (TWO_IN_ONE_TEXT, "def _base_forward(self, x, mask=None, pos=None):"),
        (REJECTED_TOO_EARLY, ""),
        (UNDER_ONE_CONDITION, "if self.norm is not None:"),
        (ONE_FOR_TWO_CLASSES, "def forward(self, x, bias: Optional[torch.Tensor] = None):\n        x = x + 1"),
    ],
)
def test_a_second_run_changes_nothing(text: str, written: str, tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text(text)
    texts = []
    for _ in range(2):
        CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
        texts.append(path.read_text())
    assert texts[0] == texts[1]
    assert (texts[0] != text) is bool(written)
    assert written in texts[0]
