"""Tests modules with their own `__call__`: each row is run in Python and compiled."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

TEXT = """\
import torch
from torch import Tensor, nn


class Up(nn.Module):
    def __call__(self, x, y=None):
        return {body}

    def forward(self, x: Tensor, y: Tensor):
        return x + y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = Up()

    def forward(self, x: Tensor) -> Tensor:
        return self.up({given})


inputs = (torch.ones(2),)
"""
# What `__call__` returns, what it gets, and whether Python and compiled code differ.
CASES = {
    "only forward": ("self.forward(x, y)", "x, x", False),
    "by keyword": ("self.forward(x, y)", "x, y=x", False),
    "more than forward": ("self.forward(x, y) * 2", "x, x", True),
    "in another order": ("self.forward(y, -x)", "x, x", True),
}


@pytest.mark.parametrize("name", CASES)
def test_a_call_that_does_more_than_forward_is_found(name: str) -> None:
    body, given, differs = CASES[name]
    text = TEXT.format(body=body, given=given)
    verdict = the_compiler()(text)
    assert verdict.ok and (verdict.eager != verdict.scripted) is differs
    assert ["TS612" in {each.code for each in findings(text)}] == [differs]
