"""Tests that loops over a few literals are written out where the compiler needs a literal index, key or name."""

from __future__ import annotations

import pytest

from tests.fixes.promise import fixed
from tests.rules.compiler import the_compiler

MODULE = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        for i in range(1, 7):
            setattr(self, f"conv{i}", nn.Linear(3, 3))
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(6)])
        self.blocks = nn.ModuleDict({f"b{i}": nn.Linear(3, 3) for i in range(6)})
        self.scales = nn.ParameterDict({"a": nn.Parameter(torch.ones(3)), "b": nn.Parameter(torch.zeros(3))})

    def forward(self, x):
BODY
        return x


scripted = torch.jit.script(Net())
inputs = (torch.ones(2, 3),)
"""
WRITTEN_OUT = {
    "names of attributes": (
        'for i in range(2):\n    x = getattr(self, f"conv{i + 1}")(x)',
        "x = self.conv1(x)\nx = self.conv2(x)",
    ),
    "names by concatenation, from, to and by": (
        'for i in range(5, 0, -2):\n    x = getattr(self, "conv" + str(i))(x)',
        "x = self.conv5(x)\nx = self.conv3(x)\nx = self.conv1(x)",
    ),
    "names by percent and format": (
        'for i in [1, 3]:\n    x = getattr(self, "conv%d" % i)(x)\n    x = getattr(self, "conv{}".format(i + 1))(x)',
        "x = self.conv1(x)\nx = self.conv2(x)\nx = self.conv3(x)\nx = self.conv4(x)",
    ),
    "computed indices": (
        "for i in range(2):\n    x = self.layers[2 * i](x)\n    x = self.layers[2 * i + 1](x) * i",
        "x = self.layers[0](x)\nx = self.layers[1](x) * 0\nx = self.layers[2](x)\nx = self.layers[3](x) * 1",
    ),
    "indices from the end": (
        "for i in range(2):\n    x = self.layers[-1 - i](x)",
        "x = self.layers[-1](x)\nx = self.layers[-2](x)",
    ),
    "keys": (
        'for i in range(2):\n    x = self.blocks[f"b{i}"](x)',
        'x = self.blocks["b0"](x)\nx = self.blocks["b1"](x)',
    ),
    "parameters by names that are written out": (
        'for name in ("a", "b"):\n    x = x + self.scales[name]',
        'x = x + self.scales["a"]\nx = x + self.scales["b"]',
    ),
    "a block": (
        'for i in range(2):\n    y = self.blocks[f"b{i}"](x)\n    if self.training:\n        x = x + y',
        'y = self.blocks["b0"](x)\nif self.training:\n    x = x + y\n'
        'y = self.blocks["b1"](x)\nif self.training:\n    x = x + y',
    ),
}
LOOPS = {
    "the number of iterations is no literal": 'for i in range(x.dim()):\n    x = self.blocks[f"b{i}"](x)',
    "too many iterations": 'for i in range(20):\n    x = self.blocks[f"b{i % 6}"](x)',
    "the variable is read later": 'for i in range(2):\n    x = self.blocks[f"b{i}"](x)\nx = x * i',
    "the variable changes": 'for i in range(2):\n    i = i + 1\n    x = self.blocks[f"b{i}"](x)',
    "the variable is compared": 'for i in range(2):\n    x = self.blocks[f"b{i}"](x)\n    if i == 0:\n        x = -x',
    "the loop ends early": 'for i in range(2):\n    x = self.blocks[f"b{i}"](x)\n    if x.dim() > 2:\n        break',
    "the key depends on something else": 'for i in range(2):\n    x = self.blocks[f"b{i + x.dim()}"](x)',
    "comments": 'for i in range(2):\n    # each block\n    x = self.blocks[f"b{i}"](x)',
}


def test_a_range_of_the_file_stays_a_loop() -> None:
    text = MODULE.replace("BODY", _indented('for i in range(2):\n    x = self.blocks[f"b{i}"](x)'))
    text = text.replace("\n\nclass", "\nrange = lambda n: [0]\n\n\nclass", 1)
    assert "for i in range" in fixed(text, unsafe=False)[0]


def _indented(code: str) -> str:
    return "\n".join(f"        {line}" for line in code.splitlines())


@pytest.mark.parametrize("name", WRITTEN_OUT)
def test_the_iterations_are_written_out(name: str) -> None:
    before, after = WRITTEN_OUT[name]
    text, outcome = fixed(MODULE.replace("BODY", _indented(before)), unsafe=False)
    assert f"    def forward(self, x):\n{_indented(after)}\n        return x\n" in text
    assert len(outcome.applied) >= 1
    old, new = the_compiler()(MODULE.replace("BODY", _indented(before))), the_compiler()(text)
    assert not old.ok and new.ok, new.message
    assert old.eager == new.eager == new.scripted
    assert old.keys == new.keys


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_stays_a_loop_if(name: str) -> None:
    text, _ = fixed(MODULE.replace("BODY", _indented(LOOPS[name])), unsafe=False)
    assert "for i in range" in text.partition("def forward")[2]
