"""Tests which functions a report shows as the call path."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tslint.cli import cli

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mask", torch.ones(3), persistent=False)

    def forward(self, x):
        return {result}

    def scaled(self, x):
        return x.numpy()
"""


@pytest.mark.parametrize(
    ("result", "path"),
    [("x * self.mask", []), ("self.scaled(x)", ["  = compiled via: Net.forward → Net.scaled"])],
)
def test_the_constructor_of_a_module_is_not_compiled(folder: Callable[..., Path], result: str, path: list[str]) -> None:
    folder({"net.py": NET.format(result=result)})
    shown = CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "net.py"]).stdout
    assert "TS809" in shown
    assert [line.strip() for line in shown.splitlines() if "compiled via" in line] == [each.strip() for each in path]
