"""Tests from which functions the benchmark of fixes says a scripted module was compiled."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
import torch

from benchmarks.definitions import Definitions
from benchmarks.running import through

NETS = """\
import torch
from torch import nn

def pair(x):
    return [x]

def doubled(x):
    return x * 2

class Part(nn.Module):
    def forward(self, x):
        return doubled(x)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList()
        self.unused = Part()
    def listed(self, x):
        return [x]
    def forward(self, x):
        {}
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # The graph of these has no line at all.
        ("return [x]", ["Net.forward"]),
        ("for each in self.layers: x = each(x)\n        return [x]", ["Net.forward"]),
        ("return pair(x)", ["Net.forward", "pair"]),
        ("return self.listed(x)", ["Net.forward", "Net.listed"]),
        ("return self.unused(x)", ["Net.forward", "Part.forward", "doubled"]),
    ],
)
def test_functions_that_a_module_is_compiled_from(body: str, expected: list[str], tmp_path: Path) -> None:
    path, text = tmp_path / "nets.py", NETS.format(body)
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("nets", path)
    assert spec is not None and spec.loader is not None
    nets = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(nets)
    module = nets.Net()
    places = [(file, line) for file, line in through(torch.jit.script(module), module, tmp_path)]
    functions = Definitions.of({"nets.py": text}).around(places)
    assert sorted(name for _, name, _, _ in functions) == expected
