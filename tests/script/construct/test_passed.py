"""Tests that arguments of calls in the file count as constructions, against the compiler."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, kinds

TEXT = """
COUNT = 0


def twice(x):
    if isinstance(x, tuple):
        return x
    return (x, x)


class Part(nn.Module):
    def __init__(self, {parameter}):
        super().__init__()
        self.n = {stored}

    def forward(self, x):
        {body}


class Net(nn.Module):
    def __init__(self, p=0):
        super().__init__()
        self.p = p
        self.q = p
        self.q = 0.5
        self.part = {call}

    def forward(self, x):
        return self.part(x)


scripted = torch.jit.script(Net())
"""
DROPOUT = "return nn.functional.dropout(x, p=self.n)"
CALLED = "return x if self.n is None else self.n(x)"
ITEM = "return nn.functional.dropout(x, p=self.n[0])"
FILLED = "return x if len(self.n) > 0 else -x"
FOUND = {
    "a literal": ("n", "n", DROPOUT, "Part(0)", "operator-mismatch?"),
    "a constant of the file": ("n", "n", DROPOUT, "Part(COUNT)", "operator-mismatch?"),
    "by name": ("n", "n", DROPOUT, "Part(n=0)", "operator-mismatch?"),
    "a default that is passed on": ("n", "n", DROPOUT, "Part(p)", "operator-mismatch?"),
    "of another kind than the default": ("n=0.5", "n", DROPOUT, "Part(0)", "operator-mismatch?"),
    "a function of torch": ("n=None", "n", CALLED, "Part(torch.relu)", "not-a-value?"),
    "a lambda": ("n=None", "n", CALLED, "Part(lambda x: x)", "attribute-inconvertible?"),
    "an empty list": ("n", "n", FILLED, "Part([])", "attribute-inconvertible?"),
    "an empty list by name": ("n=(1, 2)", "n", FILLED, "Part(n=[])", "attribute-inconvertible?"),
    "an empty dict": ("n", "n", FILLED, "Part({})", "attribute-inconvertible?"),
    "None": ("n", "n", "return x + self.n", "Part(None)", "operator-mismatch?"),
    "a tuple": ("n", "n", ITEM, "Part((0, 1))", "operator-mismatch?"),
    "a list": ("n=None", "n", f"return x if self.n is None else {ITEM[7:]}", "Part([0])", "operator-mismatch?"),
    "a tuple of parameters": ("n", "n", ITEM, "Part((p, p))", "operator-mismatch?"),
    "a function's result": ("n", "n", ITEM, "Part(twice(p))", "operator-mismatch?"),
    "the result for a stored parameter": ("n", "n", ITEM, "Part(twice(self.p))", "operator-mismatch?"),
}
OPTIONS = """
class Options:
    scale = 2.0

"""
OBJECTS = {
    "an object": ("n", "Part(Options())", "script-class-member?"),
    "a default object": ("n=Options()", "Part()", "script-class-member?"),
}
SILENT = {
    "of the kind of the default": ("n=0.5", "n", DROPOUT, "Part(0.1)"),
    "a list with items": ("n", "n", FILLED, "Part([1])"),
    "an empty list that is replaced": ("n", "n or [1]", FILLED, "Part([])"),
    "an empty list that no code reads": ("n", "n", "return x", "Part([])"),
    "an empty tuple": ("n", "n", FILLED, "Part(())"),
    "a local variable": ("n", "n", DROPOUT, "(lambda torch: Part(torch))(0.5)"),
    "a variable of a comprehension": ("n", "n", DROPOUT, "[Part(COUNT) for COUNT in (0.1, 0.5)][0]"),
    "what a call computes": ("n", "n", DROPOUT, "Part(float(p))"),
    "a tuple of the kind of the default": ("n=(0.5, 0.5)", "n", ITEM, "Part((0.1, 0.2))"),
    "a tuple with a local variable": ("n", "n", ITEM, "(lambda torch: Part((torch, 0)))(0.5)"),
    "a function's result that is not known": ("n", "n", ITEM, "Part(twice(float(p)))"),
    "an attribute that is stored twice": ("n", "n", ITEM, "Part(twice(self.q))"),
    "converted": ("n", "float(n)", DROPOUT, "Part(0)"),
}


@pytest.mark.parametrize("name", FOUND)
def test_a_call_in_the_file_is_a_construction(name: str) -> None:
    parameter, stored, body, call, kind = FOUND[name]
    text = TEXT.format(parameter=parameter, stored=stored, body=body, call=call)
    assert not the_compiler()(HEAD + text).ok
    assert kinds(text) == [kind]


@pytest.mark.parametrize("name", OBJECTS)
def test_a_plain_object_is_a_construction(name: str) -> None:
    parameter, call, kind = OBJECTS[name]
    text = OPTIONS + TEXT.format(parameter=parameter, stored="n", body="return x * self.n.scale", call=call)
    assert not the_compiler()(HEAD + text).ok
    assert kinds(text) == [kind]


@pytest.mark.parametrize("name", SILENT)
def test_other_arguments_are_no_construction(name: str) -> None:
    parameter, stored, body, call = SILENT[name]
    text = TEXT.format(parameter=parameter, stored=stored, body=body, call=call)
    assert the_compiler()(HEAD + text).ok
    assert kinds(text) == []
