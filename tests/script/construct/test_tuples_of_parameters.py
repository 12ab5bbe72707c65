"""Tests tuples that a constructor builds from its parameters: each default is a case of the tuple."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, events

TEXT = """
def pair(x):
    if isinstance(x, (list, tuple)):
        return x
    return (x, x)


def scaled(x, size):
    return x * size


class Net(nn.Module):
    def __init__(self, size={size}):
        super().__init__()
        self.size = {stored}

    def forward(self, x: Tensor):
        return scaled(x, self.size[0])


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("size", "stored", "condition"),
    [
        ("3", "(size, size)", "`size` is 3"),
        ("3", "(size, 4)", "`size` is 3"),
        ("3", "pair(size)", "`isinstance(size, (list, tuple))` is false and `size` is 3"),
        ("torch.ones(2)", "(size, size)", ""),
    ],
)
def test_a_tuple_of_defaults(size: str, stored: str, condition: str) -> None:
    text = TEXT.format(size=size, stored=stored)
    assert the_compiler()(HEAD + text).ok is not bool(condition)
    assert {event.condition for event in events(text)} == ({condition} if condition else set())
