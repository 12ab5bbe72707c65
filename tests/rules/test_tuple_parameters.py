"""Tests parameters that are unpacked: annotated as the tuple that compiled calls pass."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.rules.compiler import the_compiler
from tslint.cli import cli

NET = """from typing import Tuple

import torch
from torch import nn


class Encoder(nn.Module):
    def forward(self, x):
        return x + 1, x.sum()


class Decoder(nn.Module):
    def forward(self, x):
        {body}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.decoder = Decoder()

    def forward(self, x):
        x = self.encoder(x)
        return {call}


torch.manual_seed(0)
module = Net()
inputs = (torch.arange(6.0).reshape(2, 3),)
"""
TUPLE = "    def forward(self, x: Tuple[torch.Tensor, torch.Tensor]"


@pytest.mark.parametrize(
    ("body", "call", "line"),
    [
        ("a, b = x\n        return a * b", "self.decoder(x)", f"{TUPLE}):"),
        # The compiler lets a function bind a parameter anew, with another type, but not inside of an `if` or a loop.
        ("x, b = x\n        return x.view(-1) * b", "self.decoder(x)", f"{TUPLE}):"),
        ("b, x = x\n        for i in [1, 2]:\n            x += i\n        return x", "self.decoder(x)", f"{TUPLE}):"),
        ("if self.training:\n            x, b = x\n        return x", "self.decoder(x)", None),
        # Calls that disagree, and uses that a tuple does not have.
        ("a, b = x\n        return a * b", "self.decoder(x) + self.decoder((x[0], 2))", None),
        ("a, b = x\n        return a * b * x.sum()", "self.decoder(x)", None),
        ("a, b, c = x\n        return a * b", "self.decoder(x)", None),
    ],
)  # fmt: skip
def test_a_parameter_that_is_unpacked_is_what_callers_pass(
    body: str, call: str, line: str | None, tmp_path: Path
) -> None:
    before = NET.format(body=body, call=call)
    path = tmp_path / "net.py"
    path.write_text(before, encoding="utf-8")
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    after = path.read_text(encoding="utf-8")
    if line is None:
        assert after == before
        return
    assert line in after.splitlines()
    old, new = the_compiler()(before), the_compiler()(after)
    assert not old.ok and new.ok, new.message
    assert old.eager == new.eager == new.scripted
