"""Tests calls of functions that only tell whether their argument is None: the test is written out."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise
from tests.rules.driver import findings

HEAD = "import torch\nfrom typing import Optional\nfrom torch import nn\n\n\n"
EXISTS = """
def exists(val):
    '''Tell whether there is a value.'''
    return val is not None


def absent(val):
    return val is None

"""
NET = """
class Net(nn.Module):
    def __init__(self, up=True):
        super().__init__()
        self.up = nn.Linear(3, 3) if up else None

    def forward(self, x, bias: Optional[Tensor] = None):
        {test}:
            x = {value}
        return x * 2
"""
FIXED = {
    "a module": ("if exists(self.up)", "self.up(x)", "if self.up is not None:"),
    "no module": ("if not absent(self.up)", "self.up(x)", "if self.up is not None:"),
    "its negation": ("if not exists(self.up)", "x + 1", "if self.up is None:"),
    "an operand": ("if exists(self.up) and x.size(0) > 1", "x + 1", "if self.up is not None and x.size(0) > 1:"),
    "a comparison": ("if exists(self.up) == (bias is None)", "x + 1", "if (self.up is not None) == (bias is None):"),
}


@pytest.mark.parametrize("name", FIXED)
def test_the_test_is_written_out(name: str) -> None:
    test, value, written = FIXED[name]
    inputs = ("(torch.rand(2, 3),)", "(torch.rand(2, 3), torch.ones(3))")
    text = check_promise(EXISTS + NET.format(test=test, value=value), ("Net()", "Net(False)"), inputs)
    assert written in text


@pytest.mark.parametrize(
    "function",
    [
        "@torch.jit.ignore\ndef exists(val):\n    return val is not None\n",
        "def exists(val, other=None):\n    return val is not None\n",
        "def exists(val):\n    print(val)\n    return val is not None\n",
        "def exists(val):\n    return val is not None or CHANGED\n\n\nCHANGED = False\n",
        "def exists(val):\n    return val != None\n",
    ],
    ids=["decorated", "another parameter", "effect", "global", "comparison"],
)
def test_other_functions_are_called(function: str) -> None:
    text = HEAD + function + NET.format(test="if exists(self.up)", value="self.up(x)").replace("Tensor", "torch.Tensor")
    messages = [each.fix.message for each in findings(text) if each.fix is not None]
    assert not [each for each in messages if "in place of" in each]
