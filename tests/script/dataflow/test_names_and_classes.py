"""Tests what names refer to, which variables are only called, and how the classes of a file are related."""

from __future__ import annotations

import ast

import pytest

from tslint.script.dataflow.constants import class_constant, global_assignment
from tslint.script.dataflow.copied_functions import can_be_method, only_calls
from tslint.script.dataflow.inheritance import always_follows, classes, defining, derived, outer_bases
from tslint.script.dataflow.methods import hands_over
from tslint.script.dataflow.names import full_name, names_read
from tslint.script.dataflow.naming import snake_case
from tslint.script.dataflow.scopes import calls_of_variable

IMPORTS = """
import torch
import torch.nn as nn
import os.path
from torch.nn import Linear as L, functional
from .here import thing
from math import pi
pi = 3
def nn_of(): pass
"""


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("torch.nn", "torch.nn"),
        ("nn.Linear", "torch.nn.Linear"),
        ("L", "torch.nn.Linear"),
        ("functional.relu", "torch.nn.functional.relu"),
        ("os.path", "os.path"),
        ("thing", ".here.thing"),
        ("pi", ""),
        ("nn_of.x", ".x"),
        ("elsewhere.x", "elsewhere.x"),
    ],
)
def test_a_name_has_a_full_name(name: str, full: str) -> None:
    assert full_name(ast.parse(IMPORTS), name) == full


def test_names_are_read_in_the_order_of_the_text() -> None:
    assert list(names_read(ast.parse("x = b(a, c[x])").body[0])) == ["b", "a", "c", "x"]


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("m = M()\n return m(1) + m(m(2))", 3),
        ("m = M()\n return m", 0),
        ("m = M()\n m = m\n return m(1)", 0),
        ("return m(1)", 0),
    ],
)
def test_calls_of_a_variable_that_is_only_called(body: str, count: int) -> None:
    tree = ast.parse(f"def f():\n {body}\n")
    assert sum(map(len, calls_of_variable(tree, tree.body[0], "m").values())) == count


CLASSES = """
class A(nn.Module):
    K: Final = 1
    def forward(self, x): return self._a_forward(x)
    def _a_forward(self, x): return x
class B(A): pass
class C(A):
    def forward(self, x): return self.forward(x, 1)
class D(B, C): pass
"""


def test_classes_of_a_file() -> None:
    tree = ast.parse(CLASSES)
    known = classes(tree)
    assert [each.name for each in derived(tree, known["A"])] == ["B", "C", "D"]
    assert outer_bases(tree, known["D"]) == ["nn.Module"]
    assert defining(tree, known["B"], "forward") is known["A"]
    assert defining(tree, known["D"], "forward") is None
    assert always_follows(tree, known["C"], "forward", "A")
    assert not always_follows(tree, known["B"], "forward", "A")  # in D, it is the forward of C
    assert hands_over(known["A"], "forward", "_a_forward")
    assert not hands_over(known["C"], "forward", "_a_forward")
    assert [class_constant(known["A"], name) for name in ("K", "forward", "L")] == [True, False, None]


def test_the_statement_that_sets_a_global() -> None:
    tree = ast.parse("a = 1\nif a:\n    b = 2\nc: int = 3\n")
    assert [global_assignment(tree, name) for name in "abc"] == [tree.body[0], None, tree.body[2]]


@pytest.mark.parametrize(
    ("body", "called", "movable"),
    [
        ("return m(x) if m is not None else x", True, True),
        ("return [m, m(x)]", False, True),
        ("return m(self)", True, False),
        ("return m(lambda: x)", True, False),
        ("return m(x.__secret)", True, False),
    ],
)
def test_functions_that_can_be_methods(body: str, called: bool, movable: bool) -> None:
    function = ast.parse(f"def f(x, m=None):\n    {body}\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert only_calls(function, "m") is called
    assert can_be_method(function, "self", bound=False) is movable


@pytest.mark.parametrize(("name", "snake"), [("ScaledProduct", "scaled_product"), ("_GLU2d", "glu2d"), ("A", "a")])
def test_classes_give_attributes_their_names(name: str, snake: str) -> None:
    assert snake_case(name) == snake
