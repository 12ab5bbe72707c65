"""Tests classes that ``isinstance`` tests for: the compiler compiles them, as it does those of annotations."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
import dataclasses
import enum


{defined}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ReLU()

    def forward(self, x: Tensor):
        {body}
        return x


scripted = torch.jit.script(Net())
"""
TEST = "if isinstance({}):\n            x = x + 1"
BROKEN = "class P:\n    def made(self):\n        return lambda x: x"
# The class, the code that tests for it, and the event at which the compiler stops.
CASES = {
    "a class": ("class P:\n    def __init__(self, n: int):\n        self.n = n", TEST.format("x, P"), ""),
    "a method that cannot be compiled": (BROKEN, TEST.format("x, P"), "lambda"),
    "one of several": (BROKEN, TEST.format("x, (int, P)"), "lambda"),
    "of a module": (BROKEN, TEST.format("self.layer, P"), "lambda"),
    "in code that is not compiled": (
        BROKEN,
        "if not torch.jit.is_scripting():\n            if isinstance(x, P):\n                x = x + 1",
        "",
    ),
    "a class of numbers": ("import numbers", TEST.format("x, numbers.Integral"), "unreadable-annotation"),
    "the class of all numbers": ("import numbers", TEST.format("x, numbers.Number"), ""),
    "a decimal number": ("import decimal", TEST.format("x, decimal.Decimal"), "unreadable-annotation"),
    "a list": ("class P(list):\n    pass", TEST.format("x, P"), "unreadable-annotation"),
    "an enum": ("class P(enum.Enum):\n    A = 1", TEST.format("x, P"), ""),
    "a dataclass": ("@dataclasses.dataclass\nclass P:\n    n: int", TEST.format("x, P"), "dataclass"),
    "a named tuple": ("class P(NamedTuple):\n    n: int", TEST.format("x, P"), ""),
    "a field without a type": ("class P(NamedTuple):\n    n: range", TEST.format("x, P"), "unreadable-annotation"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_class_is_compiled(name: str) -> None:
    defined, body, kind = CASES[name]
    agree(kind, TEXT.format(defined=defined, body=body))
