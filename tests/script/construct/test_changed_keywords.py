"""Tests functions that make layers and change their ``**kwargs`` item by item, against the compiler."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, kinds

TEXT = """
class Routed(nn.Module):
    def __init__(self, n, experts=2, **kwargs):
        super().__init__()
        self.layer = nn.Linear(n, n, **kwargs)

    def forward(self, x, routing):
        return self.layer(x) * routing


def made(n, **kwargs):
    {change}
    if "experts" in kwargs and kwargs["experts"] > 0:
        return Routed(n, **kwargs)
    return nn.Linear(n, n, **kwargs)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = made(3, {given})

    def forward(self, x):
        return self.layer(x)


scripted = torch.jit.script(Net())
"""
# How the function changes its arguments, what it gets, and the events of the only construction.
CASES: dict[str, tuple[str, str, list[str]]] = {
    "removed": ("bias = kwargs.pop('experts', 0)", "experts=2", []),
    "not there": ("bias = kwargs.pop('groups', 1)", "bias=False", []),
    "another is removed": ("groups = kwargs.pop('groups', 1)", "experts=2, groups=3", ["call-mismatch"]),
    "added": ("kwargs['experts'] = 2", "bias=False", ["call-mismatch"]),
    "replaced": ("kwargs['experts'] = 0; kwargs.pop('experts', 0)", "experts=2", []),
}


@pytest.mark.parametrize("name", CASES)
def test_the_arguments_that_are_left_are_known(name: str) -> None:
    change, given, found = CASES[name]
    text = TEXT.format(change=change, given=given)
    assert the_compiler()(HEAD + text).ok is not bool(found)
    assert kinds(text) == found
