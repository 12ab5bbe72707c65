"""Tests loops over layers that a one-line function of the file makes: its argument is the number of layers."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

TEXT = """import copy

import torch
from torch import nn


{function}

class Layers(nn.Module):
    def __init__(self, layer, n=3):
        super().__init__()
        self.layers = {call}
        self.n = n

    def forward(self, x):
        for i in range(self.n):
            x = self.layers[i](x)
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Layers(nn.Linear(2, 2))

    def forward(self, x):
        return self.inner(x)


inputs = (torch.rand(3, 2),)
"""
COPIES = "nn.ModuleList([copy.deepcopy(layer) for {} in range({})])"
CLONES = f"def clones(layer, count):\n    return {COPIES.format('i', 'count')}\n"
DESCRIBED = CLONES.replace("    return", '    """Copy a layer."""\n    return')
# The function, its call, and whether the loop is over the layers, without a search.
CASES = {
    "by position": (CLONES, "clones(layer, n)", True),
    "by name": (CLONES, "clones(count=n, layer=layer)", True),
    "with a docstring": (DESCRIBED, "clones(layer, n)", True),
    "a loop": (f"def clones(layer, i):\n    return {COPIES.format('i', 'i')}\n", "clones(layer, n)", False),
    "one more": (CLONES.replace("range(count)", "range(count + 1)"), "clones(layer, n)", False),
    "another number": (CLONES, "clones(layer, n + 1)", False),
    "a default": (CLONES.replace("count)", "count=3)", 1), "clones(layer)", False),
    "defined twice": (f"{CLONES}\n\n{CLONES.replace('(count)', '(count + 2)')}", "clones(layer, n)", False),
    "another function of that name": (
        f"{CLONES}\n\ndef other(clones, layer, n):\n    return clones(layer, n)\n",
        "clones(layer, n)",
        False,
    ),
    "changed before": (CLONES.replace("    return", "    count += 1\n    return"), "clones(layer, n)", False),
}


@pytest.mark.parametrize(("function", "call", "plain"), CASES.values(), ids=CASES)
def test_as_many_layers_as_turns(function: str, call: str, plain: bool) -> None:
    text = TEXT.format(function=function, call=call)
    found = next(each for each in findings(text) if each.code == "TS401")
    assert found.fix is not None
    after = apply_fixes(SourceFile(HERE, text), [found.fix]).text
    assert ("for layer in self.layers:\n            x = layer(x)" in after) is plain, after
    before, fixed = the_compiler()(text), the_compiler()(after)
    assert not before.ok and fixed.ok, fixed.message
    assert fixed.scripted == fixed.eager == before.eager
