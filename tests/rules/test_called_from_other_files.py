"""Tests calls of functions in other files: the parameter without annotation is reported in its own file, too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tslint.cli import cli

TOOLS = """\
import torch
from torch import nn


{function}


class Base(nn.Module):
    def scaled(self, x, factor):
        return x * factor
"""
NET = """\
import torch
from torch import nn

from tools import Base, apply


class Net(Base):
    def __init__(self, bias=True):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.bias = nn.Parameter(torch.zeros(3)) if bias else None

    def forward(self, x):
        return {call}
"""
VIEW = "def apply(x, size):\n    return x.view(size, -1)"
# The function, the call, what is said about the parameter, and the function after the fixes.
ROWS = {
    "an int": (
        VIEW,
        "apply(x, 3)",
        "`size` has no annotation, so it is a Tensor, but `Net.forward` passes an int",
        VIEW.replace("size)", "size: int)", 1),
    ),
    "by keyword": (
        VIEW,
        "apply(x, size=x.size(0))",
        "`size` has no annotation, so it is a Tensor, but `Net.forward` passes an int",
        VIEW.replace("size)", "size: int)", 1),
    ),
    "None": (
        "def apply(x, bias):\n    return x if bias is None else x + bias",
        "apply(x, self.bias)",
        "`bias` has no annotation, so it is a Tensor, but `Net.forward` passes None (when `bias` is false)",
        "def apply(x, bias: Optional[Tensor]):\n    return x if bias is None else x + bias",
    ),
    "a function that only works with the type": (
        "def apply(x, sizes):\n    n = sizes[0] if x.dim() > 1 else 1\n    return x.view(n, -1)",
        "apply(x, (2, 3))",
        "`sizes` has no annotation, so it is a Tensor, but `Net.forward` passes Tuple[int, int]",
        "def apply(x, sizes: Tuple[int, int]):\n    n = sizes[0] if x.dim() > 1 else 1\n    return x.view(n, -1)",
    ),
    "a function that only tests the type": (
        "def apply(x, n):\n    return x * 2 if is_int(n) else x\n\n\ndef is_int(n):\n    return isinstance(n, int)",
        "apply(x, 3)",
        "`n` has no annotation, so it is a Tensor, but `Net.forward` passes an int",
        "def apply(x, n: int):\n    return x * 2 if is_int(n) else x\n\n\ndef is_int(n: Any):\n",
    ),
    "an inherited method": (
        VIEW,
        "self.scaled(x, 2)",
        "`factor` has no annotation, so it is a Tensor, but `Net.forward` passes an int",
        "",
    ),
    "a module": ("def apply(x, layer):\n    return layer(x)", "apply(x, self.fc)", "", ""),
    "a Tensor": ("def apply(x, y):\n    return x + y", "apply(x, x)", "", ""),
}


def run(*arguments: str) -> str:
    return (
        CliRunner()
        .invoke(cli, ["check", "--isolated", "--no-cache", "--unsafe-fixes", "--output-format", "concise", *arguments])
        .stdout
    )


@pytest.mark.parametrize("name", ROWS)
def test_the_parameter_is_reported_and_annotated_in_its_file(folder: Callable[..., Path], name: str) -> None:
    function, call, said, after = ROWS[name]
    root = folder({"tools.py": TOOLS.format(function=function), "net.py": NET.format(call=call)})
    found = run(".")
    assert f"{said}\n" in found if said else "passes" not in found
    if after:
        run("--fix", ".")
        assert after in (root / "tools.py").read_text(encoding="utf-8")
        assert "TS507" not in run(".")
