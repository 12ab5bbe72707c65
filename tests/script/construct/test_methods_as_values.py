"""Tests methods that a constructor stores in attributes: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = {value}

    @staticmethod
    def static(x):
        return x + 1

    def method(self, x):
        return x + 1

    def chosen(self):
        return self.static

    def forward(self, x: Tensor):
        return self.norm(x)


scripted = torch.jit.script(Net())
"""
VALUES = {
    "self.static": "",
    "Net.static": "",
    "self.chosen()": "",
    "self.method": "attribute-inconvertible",
}


@pytest.mark.parametrize("value", VALUES)
def test_a_static_method_is_a_function(value: str) -> None:
    agree(VALUES[value], TEXT.format(value=value))


FUNCTION = """

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.spike = self.Spike.apply

    def forward(self, x: Tensor):
        return self.spike(x)

    {mark}
    class Spike(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize("mark", ["", "@staticmethod"])
def test_apply_of_a_nested_function_is_a_method(mark: str) -> None:
    agree("attribute-inconvertible", FUNCTION.format(mark=mark))
