"""Tests attributes with objects of Python's library, numpy and torch: each row asks the compiler and the model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree
from tslint.script.construct.foreign import external_type

TEXT = """
import collections
import datetime
import operator
import weakref

import numpy as np


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.kept = {value}

    def forward(self, x: Tensor):
        kept = self.kept
        return x


scripted = torch.jit.script(Net())
"""
REJECTED = [
    "abs",
    "print",
    "int",
    "np",
    "(i for i in range(3))",
    "map(int, '12')",
    "zip([1], [2])",
    "enumerate([1])",
    "Exception('a')",
    "operator.itemgetter(0)",
    "weakref.ref(self)",
    "datetime.date.today()",
    "np.random.RandomState(0)",
    "torch.ones(2).numpy()",
    "torch.contiguous_format",
    "torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=0.1)",
    "collections.defaultdict(int)",
    "collections.OrderedDict()",
]
ACCEPTED = [
    "b'abc'",
    "torch.strided",
    "torch.relu",
    "list(i for i in range(3))",
    "[*(i for i in range(3))]",
    "nn.ModuleList(nn.ReLU() for _ in range(3))",
    "nn.Sequential(*(nn.ReLU() for _ in range(3)))",
    "collections.OrderedDict(a=torch.ones(1))",
    "collections.defaultdict(list, a=[1])",
    "dict(a=1)",
]


@pytest.mark.parametrize("value", REJECTED)
def test_objects_without_a_type_are_rejected_where_they_are_read(value: str) -> None:
    agree("attribute-inconvertible", TEXT.format(value=value))


@pytest.mark.parametrize("value", ACCEPTED)
def test_objects_with_a_type_are_accepted(value: str) -> None:
    agree("", TEXT.format(value=value))


def test_a_name_from_a_file_that_is_missing_may_be_anything() -> None:
    assert external_type("numpy") == "module"
    assert external_type(".helper") == external_type("numpy.ones") == ""
