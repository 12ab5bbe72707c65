"""Tests which names code may compute for ``getattr`` and the like."""

from __future__ import annotations

import ast

import pytest

from tslint.script.dataflow.name_patterns import may_be_computed

# Code, and whether it may read or set the attribute `_scale`.
CASES = {
    "a text for something else": ("x = a + 'scale'\ngetattr(o, 'b')", False),
    "another name": ("getattr(o, 'a_' + k)", False),
    "passed": ("getattr(o, k + 'scale')", True),
    "passed by a variable": ("n = f'{k}_scale'\nsetattr(o, n, 1)", True),
    "passed by the variable of a loop": ("for n in (f'{i}_scale' for i in x):\n    getattr(o, n)", True),
    "in a dict of attributes": ("vars(o)[k + 'scale']", True),
}


@pytest.mark.parametrize("name", CASES)
def test_only_names_that_are_looked_up_count(name: str) -> None:
    text, expected = CASES[name]
    assert may_be_computed(ast.parse(text), "_scale") is expected
