"""Tests `unique_consecutive` as a method: each row is run in Python and compiled."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise
from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

TEXT = """\
import torch
from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor):
        return {value}


inputs = (torch.tensor([1.0, 1.0, 2.0]),)
"""
# What is returned, and the same after the fix if Python and compiled code differ.
CASES = {
    "x.unique_consecutive()": "torch.unique_consecutive(x)",
    "x.unique_consecutive(return_counts=True)": "torch.unique_consecutive(x, return_counts=True)",
    "x.abs().unique_consecutive(dim=0)": "torch.unique_consecutive(x.abs(), dim=0)",
    "x.unique_consecutive(return_inverse=True, return_counts=True)": "",
    "torch.unique_consecutive(x)": "",
}


@pytest.mark.parametrize("value", CASES)
def test_the_method_is_found_where_compiled_code_returns_something_else(value: str) -> None:
    text = TEXT.format(value=value)
    verdict = the_compiler()(text)
    assert verdict.ok and (verdict.eager != verdict.scripted) is bool(CASES[value])
    assert [each.code for each in findings(text) if each.code != "TS508"] == ["TS628"] * bool(CASES[value])
    if CASES[value]:
        assert f"return {CASES[value]}\n" in check_promise(text, inputs=("(torch.tensor([1.0, 1.0, 2.0]),)",))
