"""Tests properties, constants and attributes of modules, and functions that are scripted inside other functions.

Each row asks the compiler and the static model.
"""

from __future__ import annotations

import pytest

from tests.script.agreement import agree
from tests.script.model import events

PROPERTY = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {init}

    @property
    def size(self) -> int:
        return 1
{setter}
    def forward(self, x: Tensor):
        {use}
        return x * self.size
"""
SETTER = "\n    @size.setter\n    def size(self, size: int):\n        self._size = size\n"
PROPERTIES = {
    ("pass", "", "pass"): "",
    ("pass", "", "self.size = 2"): "set-missing-attribute",
    ("self._size = 1", SETTER, "self.size = 2"): "",
    ("self.size = 1", SETTER, "self.size = 2"): "",
}


@pytest.mark.parametrize("parts", PROPERTIES)
def test_a_property_is_set_by_its_setter(parts: tuple[str, str, str]) -> None:
    init, setter, use = parts
    agree(PROPERTIES[parts], PROPERTY.format(init=init, setter=setter, use=use))


CONSTANT = """
def helper(x):
    return x


class Net(nn.Module):
    __constants__ = ["held"]

    def __init__(self):
        super().__init__()
        {}

    def forward(self, x: Tensor):
        return x
"""
CONSTANTS = {
    "self.held = torch.float32": "",
    "self.held = (1, 'a', None)": "",
    "self.held = nn.Parameter(torch.zeros(3))": "",
    "self.register_buffer('held', torch.zeros(3))": "",
    "self.held = torch.zeros(3)": "invalid-constant",
    "self.held = helper": "invalid-constant",
    "self.held = {'a': 1}": "invalid-constant",
}


@pytest.mark.parametrize("code", CONSTANTS)
def test_a_constant_is_a_plain_value(code: str) -> None:
    agree(CONSTANTS[code], CONSTANT.format(code))


OUTER = """
def make(n, other):
    limit = 3

    def helper(x: int):
        return x

    {mark}
    def inner(x: int):
        return {result}

    return {scripted}


make(1, helper)
"""
RESULTS = {"x + 1": 0, "helper(x)": 0, "other(x)": 0, "x * n": 0, "x + 'a'": 1, "helper('a')": 1, "x * limit": 1}


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize(("mark", "scripted"), [("@torch.jit.script", "inner"), ("", "torch.jit.script(inner)")])
def test_a_function_is_scripted_in_another(result: str, mark: str, scripted: str) -> None:
    # The test's compiler calls no function: the conformance snippets have the verdict on the inner one.
    assert len(events(OUTER.format(mark=mark, result=result, scripted=scripted))) == RESULTS[result]


def test_a_base_class_may_read_attributes_of_derived_classes() -> None:
    base = "class Base(nn.Module):\n    def forward(self, x: Tensor):\n        return self.more(x)\n\n\n"
    derived = "class Net(Base):\n    def more(self, x: Tensor):\n        return x\n"
    assert [event.condition for event in events(base)] == [None]
    assert events(base + derived) == []
