"""Tests that fixes use the quotes of the file."""

from __future__ import annotations

import pytest

from tslint.diagnostics import Applicability, Edit, Fix, Position
from tslint.rulekit.quotes import in_own_quotes

SINGLE, DOUBLE = "kind = 'a'\nname = 'b'\nother = \"c\"\n", 'kind = "a"\nname = "b"\nother = \'c\'\n'


@pytest.mark.parametrize(
    ("text", "written", "shown"),
    [
        (SINGLE, 'assert hasattr(self, "x")', "assert hasattr(self, 'x')"),
        (SINGLE, 'raise IndexError(f"index {i} is out of range")', "raise IndexError(f'index {i} is out of range')"),
        (SINGLE, 'f("it\'s", "a\\n", \'say "x"\')', 'f("it\'s", "a\\n", \'say "x"\')'),
        (SINGLE, 'f("c")', 'f("c")'),
        (SINGLE, '"""A page."""  # and "this"', '"""A page."""  # and "this"'),
        (DOUBLE, 'f("x")', 'f("x")'),
        ("x = 1\n", 'f("x")', 'f("x")'),
        ('"""The text."""\nx = \'a\'\n', 'f("x")', "f('x')"),
    ],
)
def test_new_strings_have_the_quotes_of_most_strings(text: str, written: str, shown: str) -> None:
    start = Position(1, 1)
    fix = in_own_quotes(text, Fix(Applicability.SAFE, "Do it", (Edit(start, start, written),)))
    assert [edit.content for edit in fix.edits] == [shown]
