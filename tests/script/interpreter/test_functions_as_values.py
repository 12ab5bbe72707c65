"""Tests functions of which compiled code only uses the name: the compiler compiles them where it meets the name."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.agreement import agree
from tests.script.model import HEAD, events

TEXT = """
from functools import partial


def halved(x):
    {body}


@torch.jit.ignore
def ignored(x):
    {body}


class Net(nn.Module):
    def forward(self, x):
        {statement}
        return x


scripted = torch.jit.script(Net())
"""
MADE = """
def times(n):
    def parse(x):
        {body}

    return parse


double = times(2)


def f(x: Tensor):
    return double(x)


scripted = torch.jit.script(f)
"""


@pytest.mark.parametrize(("body", "kind"), [("return x + 1", ""), ("return {x}", "set-literal")])
def test_a_global_may_be_the_function_that_another_one_returns(body: str, kind: str) -> None:
    agree(kind, MADE.format(body=body))


GOOD, BAD = "return x / 2", "return {x}"
STATEMENTS = {
    "a local variable": "f = halved",
    "a local variable that is called": "f = halved\n        x = f(x)",
    "an argument of a class": "f = partial(halved, x)",
    "an argument of a builtin": "y = map(halved, [x])",
    "the owner of an attribute": "halved.__name__",
    "an ignored function": "f = ignored",
    "no mention": "x = x + 1",
}
MENTIONED = [name for name in STATEMENTS if name not in ("an ignored function", "no mention")]


@pytest.mark.parametrize("name", STATEMENTS)
def test_an_error_in_the_function_stops_the_compiler(name: str) -> None:
    text = TEXT.format(body=BAD, statement=STATEMENTS[name])
    verdict = the_compiler()(HEAD + text)
    found = [event for event in events(text) if event.kind == "set-literal"]
    assert [event.span.row for event in found] == (list(verdict.lines[:1]) if name in MENTIONED else [])
    assert all(event.condition is None for event in found)
    assert verdict.ok is (name not in MENTIONED), verdict.message


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_function_without_error_adds_none(name: str) -> None:
    text = TEXT.format(body=GOOD, statement=STATEMENTS[name])
    verdict = the_compiler()(HEAD + text)
    found = [event.span.row for event in events(text)]
    assert found == list(verdict.lines[:1]), verdict.message
