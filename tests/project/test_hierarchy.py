"""Tests classes and their bases: the order is Python's, and unknown bases are marked."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tslint.project.classes import Hierarchy, body_names
from tslint.project.definitions import Class, External
from tslint.project.index import Project
from tslint.sources.file import SourceFile


def hierarchy(text: str, name: str) -> Hierarchy:
    project = Project()
    module = project.add(SourceFile(Path("/example/case.py"), text))
    definition = project.resolve(module, name)
    assert isinstance(definition, Class)
    return Hierarchy(project, definition)


def names(found: Hierarchy) -> list[str]:
    return [base.name for base in found.mro]


DIAMOND = "class A: pass\nclass B(A): pass\nclass C(A): pass\nclass D(B, C): pass\n"


def test_a_diamond_is_linear() -> None:
    assert names(hierarchy(DIAMOND, "D")) == ["D", "B", "C", "A"]


def test_external_bases_have_no_bases() -> None:
    found = hierarchy("import torch.nn as nn\nclass A(nn.Module): pass\nclass B(A): pass\n", "B")
    assert names(found) == ["B", "A", "torch.nn.Module"]
    assert found.externals == (External("torch.nn.Module"),) and not found.open


@pytest.mark.parametrize(
    "text",
    [
        "import other\nclass A(other.make()): pass\n",
        "A = make()\nclass A(make()): pass\n",
        "class A(Missing): pass\n",
        "class A(**options): pass\n",
        "from somewhere import *\nclass A(Thing): pass\n",
    ],
)
def test_an_unknown_base_makes_it_open(text: str) -> None:
    assert hierarchy(text, "A").open


def test_generic_bases_are_their_classes() -> None:
    found = hierarchy("from typing import Generic\nclass A(Generic[int]): pass\n", "A")
    assert names(found) == ["A", "typing.Generic"] and not found.open


def test_a_class_that_names_itself_comes_to_an_end() -> None:
    assert names(hierarchy("class A(A): pass\n", "A")) == ["A"]
    assert hierarchy("class A(B): pass\nclass B(A): pass\n", "A").open


def test_the_nearest_definition_of_a_member_is_found() -> None:
    text = "class A:\n    def f(self): pass\n    def g(self): pass\nclass B(A):\n    def f(self): pass\n"
    found = hierarchy(text, "B").members
    assert {name: member.owner.name for name, member in found.items()} == {"f": "B", "g": "A"}


def test_a_member_after_a_class_is_the_one_that_super_finds() -> None:
    text = DIAMOND.replace("class A: pass", "class A:\n    def f(self): pass").replace(
        "class C(A): pass", "class C(A):\n    def f(self): pass"
    )
    found = hierarchy(text, "D")
    after = found.member("f", after=found.definition)
    assert after is not None and after.owner.name == "C"
    last = found.member("f", after=after.owner)
    assert last is not None and last.owner.name == "A"
    assert found.member("f", after=last.owner) is None


def test_conditional_names_of_a_class_body_are_bound() -> None:
    found = hierarchy("class A:\n    if 1:\n        k = 1\n    else:\n        def f(self): pass\n    import os\n", "A")
    assert set(body_names(found.definition.node)) == {"k", "f", "os"}


@given(st.lists(st.lists(st.integers(0, 5), max_size=3, unique=True), min_size=1, max_size=6))
def test_the_order_is_that_of_python(bases: list[list[int]]) -> None:
    """Each class inherits from earlier classes; if Python finds an order, it is the same."""
    text = ""
    for number, chosen in enumerate(bases):
        named = ", ".join(f"C{base}" for base in chosen if base < number)
        text += f"class C{number}({named}): pass\n"
    space: dict[str, type] = {}
    try:
        exec(text, space)
    except TypeError:
        return  # Python rejects the order; the index then uses any order
    last = f"C{len(bases) - 1}"
    assert names(hierarchy(text, last)) == [base.__name__ for base in space[last].__mro__[:-1]]
