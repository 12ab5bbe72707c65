"""Tests variables of a class body that methods read: each row asks the compiler and the model."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.agreement import agree
from tests.script.model import HEAD, events

TEXT = """
import math


class Plain:
    pass




class Net(nn.Module):
    size = 2
    kept{annotation} = {value}

    def forward(self, x: Tensor):
        {use}
        return x


scripted = torch.jit.script(Net())
"""
VALUES = {
    "a number": "3 * 4",
    "a result": "len('abc')",
    "a result of math": "math.sqrt(2)",
    "a Tensor": "torch.ones(2)",
    "a Parameter": "nn.Parameter(torch.ones(2))",
    "a module": "nn.ReLU()",
    "a list": "[n for n in range(3)]",
    "a dict": "dict(a=1)",
    "an object": "Plain()",
    "a dtype": "torch.float32",
    "a builtin function of torch": "torch.relu",
    "a builtin function of Python": "len",
}


@pytest.mark.parametrize("name", VALUES)
def test_the_compiler_does_not_see_a_class_variable(name: str) -> None:
    agree("class-variable", TEXT.format(annotation="", value=VALUES[name], use="print(self.kept)"))
    agree("class-variable", TEXT.format(annotation=": Any", value=VALUES[name], use="print(self.kept)"))
    agree("", TEXT.format(annotation="", value=VALUES[name], use="x = x + 1"))


def test_a_static_function_is_called() -> None:
    agree("", TEXT.format(annotation="", value="staticmethod(F.relu)", use="x = self.kept(x)"))


def test_a_lambda_is_no_method() -> None:
    text = TEXT.format(annotation="", value="lambda self, x: x", use="x = self.kept(x)")
    assert "Expected a single top-level function" in the_compiler()(HEAD + text).message
    assert [event.kind for event in events(text)] == ["attribute-inconvertible"]
