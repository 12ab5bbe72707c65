"""Tests conditions that functions outside of the class test for a constructor: ``exists(v)``."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, events

TEXT = """
import os


def exists(v):
    return v is not None


def chosen(v, other):
    return other if v is None else v


class Net(nn.Module):
    def __init__(self, scale=None, flag=True):
        super().__init__()
        a, b = os.environ.get("no such a"), os.environ.get("no such b")
        {statements}

    def forward(self, x: Tensor):
        return x * self.p, x * self.q


scripted = torch.jit.script(Net())
"""
# The statements of the constructor, whether the default construction compiles, and the conditions of the findings.
CASES = {
    "a variable": ("self.p = 'a' if exists(a) else 2\n        self.q = 2", True, ["`a` is not None"]),
    "two variables": (
        "self.p = 2 if exists(a) else 'a'\n        self.q = 'b' if exists(b) else 2",
        False,
        ["`a` is None", "`b` is not None"],
    ),
    "an attribute": (
        "self.kept = a\n        self.p = 2 if exists(self.kept) else 'a'\n        self.q = 2",
        False,
        ["`self.kept` is None"],
    ),
    "a value with a condition": (
        "c = 2 if flag else None\n        self.p = 2 if exists(c) else 'a'\n        self.q = 2",
        True,
        ["`flag` is false"],
    ),
    "another value in that case": (
        "self.p = chosen(3 if flag else None, 'a')\n        self.q = 2",
        True,
        ["`flag` is false"],
    ),
    "a parameter": ("self.p = 2 if exists(scale) else 'a'\n        self.q = 2", False, ["`scale` is None"]),
}


@pytest.mark.parametrize("name", CASES)
def test_the_condition_is_in_the_words_of_the_constructor(name: str) -> None:
    statements, compiles, conditions = CASES[name]
    text = TEXT.format(statements=statements)
    assert the_compiler()(HEAD + text).ok is compiles
    found = events(text)
    assert [each.condition for each in found] == conditions
