"""Tests None in a list of modules: each row is run in Python and compiled, and a finding says whether they differ."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

TEXT = """\
import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.some = nn.ModuleList([Times(2), None, Times(3), Times(4)])
        self.same = nn.ModuleList([Times(5), None, Times(6), Times(7)])
        self.full = nn.ModuleList([Times(5), Times(6), Times(7), Times(8)])
        self.late = nn.ModuleList([Times(5), Times(6), None])

    def forward(self, x: Tensor):
        {body}
        return x


class Times(nn.Module):
    def __init__(self, factor: float):
        super().__init__()
        self.factor = float(factor)

    def forward(self, x: Tensor):
        return x * self.factor


inputs = (torch.ones(2),)
"""
CALL = "\n    if layer is not None:\n        x = layer(x) + "
# The body, and whether Python and compiled code differ.
CASES = {
    f"for layer in self.some:{CALL}1": False,
    f"for i, layer in enumerate(self.some):{CALL}i": True,
    f"for i, layer in enumerate(self.some):{CALL}1": False,
    f"for i, layer in enumerate(self.late):{CALL}i": False,
    f"for i, layer in enumerate(self.full):{CALL}i": False,
    f"for layer, other in zip(self.some, self.full):{CALL}other(x)": True,
    f"for layer, other in zip(self.late, self.full):{CALL}other(x)": False,
    f"for layer, k in zip(self.some, (1, 2, 3, 4)):{CALL}k": True,
    "for a, b in zip(self.some, self.same):\n    if a is not None and b is not None:\n        x = a(b(x))": False,
    "x = self.some[0](x)": False,
    "x = self.some[2](x)": True,
    "x = self.some[-1](x)": False,
    "x = self.some[-2](x)": False,
    "if self.some[1] is not None:\n    x = x + 1": True,
    "if self.some[-3] is not None:\n    x = x + 1": True,
    "x = self.late[1](x)": False,
    "x = x * len(self.some)": False,
}


@pytest.mark.parametrize("body", CASES)
def test_none_in_a_container_is_found_if_the_results_differ(body: str) -> None:
    text = TEXT.format(body=body.replace("\n", "\n        "))
    verdict = the_compiler()(text)
    assert verdict.ok and (verdict.eager != verdict.scripted) is CASES[body]
    assert [each.name for each in findings(text) if each.code != "TS508"] == ["none-in-container"] * CASES[body]
