"""Tests type tests in constructors, and sets, whose length depends on equal values, against the compiler."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, kinds

TEXT = """
import collections.abc
from itertools import repeat
from torch.nn.modules.utils import _pair


def times(n):
    def parse(x):
        if isinstance(x, collections.abc.Iterable) and not isinstance(x, str):
            return x
        return tuple(repeat(x, n))

    return parse


pair = times(2)


def handled(size):
    if isinstance(size, int):
        return (size, size)
    elif isinstance(size, list):
        return (size[0], size[1])


def number(size):
    return 0 if size == "same" else size


class Base(nn.Module):
    def __init__(self, layer=None):
        super().__init__()
        if isinstance(layer, nn.Module):
            self.layer = layer

    def forward(self, x):
        if hasattr(self, "layer"):
            x = self.layer(x)
        return x


class Net(nn.Module):
    def __init__(self, size=1):
        super().__init__()
        {statement}

    def forward(self, x: Tensor):
        {body}


scripted = torch.jit.script(Net())
"""
KEPT = "assert {}\n        self.scale = torch.ones(3)"
SUM = "total: int = self.size[0]\n        return x + total"
ASSIGNED = "size = self.size\n        if x.sum() > 0:\n            size = _pair(0)\n        return x + size[0]"
# The statement in the constructor, the body, and the event.
CASES = {
    "a set of equal values": (
        KEPT.format("len({size, len([size]), 1}) == 1"),
        "return x + self.scale",
        "",
    ),
    "a set of equal constants": (KEPT.format("len({1, 1}) == 1"), "return x + self.scale", ""),
    "a set of a list": (KEPT.format("len(set([size, size])) == 1"), "return x + self.scale", ""),
    "a pair of a number": ("self.size = _pair(3)", ASSIGNED, "variable-retyped"),
    "a pair of a pair": ("self.size = _pair((1, 2))", SUM, ""),
    "no None after an assertion": (
        "sizes = [size] if size > 0 else None\n        assert isinstance(sizes, list)\n        self.sizes = sizes",
        "return x * self.sizes[0]",
        "",
    ),
    "no None in a branch": (
        "act = nn.ReLU() if size > 0 else None\n        if act is not None:\n            self.act = act\n"
        "        else:\n            self.act = nn.Identity()",
        "return self.act(x)",
        "",
    ),
    "as many as the closure says": (
        "self.size = pair(3)",
        "size = self.size\n        if x.sum() > 0:\n            size = (1, 2, 3)\n        return x + size[0]",
        "variable-retyped",
    ),
    "a function that does not handle everything": ("self.size = handled(size)", SUM, ""),
    "a number is not iterable": ("self.size = pair(number(size))", SUM, ""),
}


@pytest.mark.parametrize("name", CASES)
def test_the_model_and_the_compiler_say_the_same(name: str) -> None:
    statement, body, kind = CASES[name]
    text = TEXT.format(statement=statement, body=body)
    verdict = the_compiler()(HEAD + text)
    assert verdict.ok is not bool(kind), verdict.message
    assert kinds(text) == ([kind] if kind else [])


@pytest.mark.parametrize(("layer", "ok"), [("None", True), ("nn.Linear(3, 3)", True), ("3", True)])
def test_an_attribute_that_a_type_test_sets(layer: str, ok: bool) -> None:
    text = TEXT.partition("class Net(")[0] + "class Net(Base):\n    def __init__(self):\n"
    text += f"        super().__init__({layer})\n\n\nscripted = torch.jit.script(Net())\n"
    assert the_compiler()(HEAD + text).ok is ok
    assert kinds(text) == []
