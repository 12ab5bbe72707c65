"""Tests constructors that call a parameter: its default is one of the classes or functions that they may call."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, kinds

TEXT = """
class Block(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.size = n

    def forward(self, x):
        return x * self.size


def made(n):
    return nn.Linear(n, n)


class Net(nn.Module):
    def __init__(self, make={default}, rate=0):
        super().__init__()
        self.part = {part}

    def forward(self, x: Tensor):
        {body}


scripted = torch.jit.script(Net({given}))
"""
RESULT = "return self.part(x).foo()"
# The default, the attribute, the body, what is passed, and the event; empty if the compiler accepts it.
CASES = {
    "a class of torch": ("nn.Linear", "make(3, 3)", RESULT, "", "no-tensor-member?"),
    "a class of the file": ("Block", "make(3)", RESULT, "", "no-tensor-member?"),
    "a function of the file": ("made", "make(3)", RESULT, "", "no-tensor-member?"),
    "an attribute of the module": ("Block", "make(3)", "return x + self.part.sise", "", "missing-attribute?"),
    "one of two in a container": (
        "None",
        "nn.Sequential(nn.ReLU() if make else nn.Tanh())",
        RESULT,
        "",
        "no-tensor-member",
    ),
    "in a container": ("nn.Linear", "nn.Sequential(nn.ReLU(), make(3, 3))", RESULT, "", "no-tensor-member?"),
    "a wrong argument": ("nn.Dropout", "make(rate)", "return self.part(x)", "", "module-argument?"),
    "its result": ("nn.Linear", "make(3, 3)", "return self.part(x).sum()", "", ""),
    "another class": ("nn.Linear", "make(3)", "return self.part(x).sum()", "Block", ""),
}


@pytest.mark.parametrize("name", CASES)
def test_a_default_is_one_of_the_things_that_are_called(name: str) -> None:
    default, part, body, given, kind = CASES[name]
    text = TEXT.format(default=default, part=part, body=body, given=given)
    verdict = the_compiler()(HEAD + text)
    assert verdict.ok is not bool(kind), verdict.message
    assert kinds(text) == ([kind] if kind else [])
