"""Tests functions with the names of builtins: each row is run in Python and compiled."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

TEXT = """\
import torch
from torch import Tensor
{before}

def compute(x: Tensor):
    {body}


scripted = torch.jit.script(compute)
inputs = (torch.tensor([1.5, -2.5]),)
"""
OWN = "\n\ndef {}(v: Tensor):\n    return v * 7\n"
# What stands before the function, its body, and the names that mean something else in compiled code.
CASES = {
    "a function": (OWN.format("abs"), "return abs(x)", ["abs"]),
    "another type": (OWN.format("bool"), "return bool(x.sum())", ["bool"]),
    "two functions": (OWN.format("abs") + OWN.format("round"), "return round(abs(x))", ["abs", "round"]),
    "no builtin of the compiler": (OWN.format("reversed"), "return reversed(x)", []),
    "a variable": (OWN.format("max"), "max = x * 2\n    return max", []),
    "torch's own": ("from torch import abs\n", "return abs(x)", []),
    "a method": (OWN.format("abs"), "return x.abs()", []),
}


@pytest.mark.parametrize("name", CASES)
def test_functions_that_are_not_called_are_found(name: str) -> None:
    before, body, expected = CASES[name]
    text = TEXT.format(before=before, body=body)
    verdict = the_compiler()(text)
    assert verdict.ok and (verdict.eager != verdict.scripted) is bool(expected)
    found = findings(text)
    assert sorted(each.message.split("`")[1] for each in found if each.code == "TS625") == expected
