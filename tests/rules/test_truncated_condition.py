"""Tests numbers of tensors as conditions: each row is run in Python and compiled."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise
from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

TEXT = """\
import torch
from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        {body}
        return x


inputs = (torch.tensor([0.25, 0.5]),)
"""
# The body, and whether Python and compiled code differ.
CASES = {
    "if": ("if x.mean().item():\n            return x * 2", True),
    "not": ("if not x.std().item():\n            return x * 2", True),
    "while": ("while x.norm(p=2).item():\n            x = x * 0", True),
    "a conditional expression": ("x = x * 2 if x.mean().item() else x", True),
    "an operand": ("if x.dim() == 1 and x.mean().item():\n            return x * 2", True),
    "a variable": ("loss = x.mean().item()\n        if loss:\n            return x * 2", True),
    "a quotient": ("if (x.sum() / 3).item():\n            return x * 2", True),
    "compared": ("if x.mean().item() != 0:\n            return x * 2", False),
    "a bool": ("if (x > 0.3).any().item():\n            return x * 2", False),
    "a count": ("if (x > 0.3).sum().item():\n            return x * 2", False),
    "the tensor": ("if x.mean():\n            return x * 2", False),
}


@pytest.mark.parametrize("name", CASES)
def test_conditions_that_differ_are_found(name: str) -> None:
    body, differs = CASES[name]
    text = TEXT.format(body=body)
    verdict = the_compiler()(text)
    assert verdict.ok and (verdict.eager != verdict.scripted) is differs
    assert [each.code for each in findings(text)] == ["TS627"] * differs


# The line as the author wrote it, and as it is fixed.
FIXED = {
    "if x.mean().item():": "if x.mean().item() != 0:",
    "if not x.mean().item():": "if not x.mean().item() != 0:",
    "if x.dim() == 1 and x.mean().item():": "if x.dim() == 1 and x.mean().item() != 0:",
}


@pytest.mark.parametrize("line", FIXED)
def test_the_fix_compares_with_0(line: str) -> None:
    inputs = ("(torch.tensor([0.25, 0.5]),)", "(torch.zeros(2),)", "(torch.ones(2),)")
    assert FIXED[line] in check_promise(TEXT.format(body=line + "\n            return x * 2"), ("Net()",), inputs)
