"""Tests `isinstance` with classes that are no types to the compiler, such as `nn.Module`, `dict` and `np.ndarray`."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
import collections.abc
from typing import Sequence

import numpy as np

NUMBERS = (int, float)
NUMBER = int


class Plain:
    pass


class Net(nn.Module):
    def __init__(self, deep: bool = False):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.none = None
        self.maybe = nn.Linear(2, 2) if deep else None

    def forward(self, x: Tensor) -> Tensor:
        if {test}:
            x = x + 1
        return x


scripted = torch.jit.script(Net())
"""
REFUSED = [
    "isinstance(x, nn.Module)",
    "isinstance(x, (Tensor, nn.Module))",
    "isinstance(self.layer, torch.nn.Module)",
    "isinstance(self.none, nn.Module)",
    "isinstance(self.maybe, nn.Module)",
    "not isinstance(self.layer, nn.Module) and x.sum() > 0",
    "isinstance(x, dict)",
    "isinstance(x, (Tensor, set))",
    "isinstance(self.layer, dict)",
    "isinstance(x, collections.abc.Iterable)",
    "isinstance(x, np.ndarray)",
    "isinstance(x, (int, np.integer))",
    "isinstance(x, torch.Size)",
    "isinstance(x, object)",
    "isinstance(x, Sequence)",
    "isinstance(x, NUMBERS)",
    "isinstance(x, type(None))",
    "isinstance(x, Tensor) or isinstance(x, dict)",
    "torch.jit.is_scripting() or isinstance(x, dict)",
    "torch.jit.isinstance(x, dict)",
]
TAKEN = [
    "isinstance(x, Tensor)",
    "isinstance(x, nn.Parameter)",
    "isinstance(x, torch.FloatTensor)",
    "isinstance(x, NUMBER)",
    "isinstance(x, Dict[str, int])",
    "isinstance(self.layer, nn.Linear)",
    "isinstance(x, Plain)",
    "isinstance(x, (list, tuple))",
    "torch.jit.is_scripting() or isinstance(x, Tensor)",
]


@pytest.mark.parametrize("test", REFUSED)
def test_isinstance_with_what_is_no_type_is_refused(test: str) -> None:
    agree("unreadable-annotation", TEXT.format(test=test))


@pytest.mark.parametrize("test", TAKEN)
def test_other_type_tests_are_accepted(test: str) -> None:
    agree("", TEXT.format(test=test))


@pytest.mark.parametrize("type_", ["nn.Module", "dict", "np.ndarray"])
def test_isinstance_with_what_is_no_type_in_a_pruned_branch_is_accepted(type_: str) -> None:
    branch = f"not torch.jit.is_scripting():\n            x = x + int(isinstance(x, {type_}))\n        if x.sum() > 0"
    agree("", TEXT.format(test=branch))
