"""Tests constants that the class body sets: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
class Base(nn.Module):
    {body}


class Net(Base):
    def forward(self, x: Tensor) -> Tensor:
        return x


scripted = torch.jit.script(Net())
"""
REFUSED = {
    "a dict": "sizes: Final = {'a': 1}",
    "a set": "sizes: Final[Any] = {1, 2}",
    "made by a call": "sizes: Final = set(dir(nn.Module))",
    "listed": "__constants__ = ['sizes']\n    sizes = frozenset([1])",
    "computed": "sizes: Final = {each: 1 for each in 'ab'}",
    "a dict in a list": "sizes: Final = [{'a': 1}]",
    "a function": "sizes: Final = lambda x: x",
    "a Tensor": "sizes: Final = torch.ones(2)",
    "a dict of a call": "sizes: Final = (dict(a=1),)",
    "a generator": "sizes: Final = (each for each in 'ab')",
}
ACCEPTED = {
    "a list": "sizes: Final = [1, 2]",
    "a tuple": "sizes: Final = (1, 'a')",
    "a list of a call": "sizes: Final = list(range(3))",
    "not declared": "sizes = {'a': 1}",
    "another name": "__constants__ = ['size']\n    size = 1\n    sizes = {1}",
}


@pytest.mark.parametrize("name", REFUSED)
def test_types_that_constants_cannot_have(name: str) -> None:
    agree("invalid-constant", TEXT.format(body=REFUSED[name]))


@pytest.mark.parametrize("name", ACCEPTED)
def test_types_that_constants_can_have(name: str) -> None:
    agree("", TEXT.format(body=ACCEPTED[name]))


def test_the_constructor_replaces_it() -> None:
    constructor = "    def __init__(self):\n        super().__init__()\n        self.sizes = 3"
    agree("", TEXT.format(body=f"{REFUSED['a dict']}\n\n{constructor}"))
