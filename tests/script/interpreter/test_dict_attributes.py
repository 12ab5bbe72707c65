"""Tests attributes that hold a dict or a list without an annotation: each row asks the compiler and the model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
import math


class Net(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.table = {value}

    def forward(self, x: Tensor):
        return {read}


scripted = torch.jit.script(Net())
"""
MIXED = {
    "numbers": "{'a': 2.0, 'b': 1}",
    "a flag and a number": "{'a': True, 'b': 1}",
    "values of dict()": "dict(a=1, b='x')",
    "a Tensor": "{'a': torch.ones(2), 'b': 1}",
    "lists": "{'a': [1], 'b': [1.5]}",
    "tuples of two lengths": "{'a': (1, 2), 'b': (1, 2, 3)}",
    "dictionaries": "{'a': {'b': 1}, 'c': {'d': 2.0}}",
    "keys": "{1: 2.0, 'b': 3.0}",
    "a class": "{'a': nn.ReLU, 'b': nn.Tanh}",
    "a lambda": "{'a': (lambda x: x)}",
    "functions of torch": "{'a': torch.relu, 'b': nn.functional.max_pool2d}",
    "a list of functions": "[torch.relu, math.sqrt]",
    "a tuple of functions": "(nn.functional.relu, torch.tanh)",
    "a function and a number": "[(1, torch.relu), (2, torch.tanh)]",
}
ALIKE = {
    "None and a number": "{'a': None, 'b': 1}",
    "None and a Tensor": "{'a': torch.ones(2), 'b': None}",
    "tuples with None": "{'a': (1, None), 'b': (1, 2)}",
    "a dtype, which is an int": "{'a': torch.float32, 'b': 3}",
    "floats": "{'a': math.pi, 'b': 3 / 2}",
    "an argument": "{'a': size, 'b': 1}",
    "values of dict()": "dict(a=1, b=2)",
}


@pytest.mark.parametrize("name", MIXED)
def test_values_without_a_common_type_are_rejected_where_they_are_read(name: str) -> None:
    agree("attribute-inconvertible", TEXT.format(value=MIXED[name], read="len(self.table)"))
    agree("", TEXT.format(value=MIXED[name], read="x"))


@pytest.mark.parametrize("name", ALIKE)
def test_values_may_have_a_common_type(name: str) -> None:
    agree("", TEXT.format(value=ALIKE[name], read="len(self.table)"))
