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


OBJECTS = """
class Layer(nn.Module):
    def forward(self, x: Tensor):
        return x

    def run(self, x: Tensor):
        return x


class Plain:
    def __init__(self):
        self.hidden = torch.relu

    def hidden(self, x: Tensor) -> Tensor:
        return x

    def go(self, x: Tensor) -> Tensor:
        return x

    @staticmethod
    def fixed(x: Tensor) -> Tensor:
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Layer()
        self.plain = Plain()
        self.{name} = self.{value}

    def forward(self, x: Tensor):
        return x

    def step(self, x: Tensor):
        return x

    @torch.jit.export
    def call(self, x: Tensor):
        return self.{name}(x)


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize("value", ["layer.run", "layer.forward", "plain.go"])
def test_a_method_of_another_object_is_no_attribute(value: str) -> None:
    agree("attribute-inconvertible", OBJECTS.format(name="kept", value=value))


@pytest.mark.parametrize("value", ["plain.fixed", "plain.hidden"])
def test_a_function_of_another_object_is_an_attribute(value: str) -> None:
    agree("", OBJECTS.format(name="kept", value=value))


@pytest.mark.parametrize("name", ["forward", "step"])
@pytest.mark.parametrize("value", ["layer.run", "step"])
def test_an_attribute_that_hides_a_method_is_compiled_as_that_method(name: str, value: str) -> None:
    agree("", OBJECTS.format(name=name, value=value))
