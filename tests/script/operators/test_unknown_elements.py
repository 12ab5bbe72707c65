"""Tests tuples with an element of unknown type as arguments: the known elements still decide."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, events

TEXT = """{imported}
def halved(x):
    return x


@torch.jit.script
def f(x: Tensor, some: Optional[int], unknown: {type}):
    return {call}
"""
# For each call: types of the unknown element with which it might be valid.
WRONG = {
    "x.new_zeros((unknown, some))": ["int"],
    "x.view((unknown, 1.5))": ["int"],
    "torch.cat((unknown, 1))": ["Tensor", "int"],
    "torch.add(x, (unknown, 1))": ["Tensor", "int"],
    "halved((unknown, 1))": ["Tensor", "int"],
}
RIGHT = {
    "x.new_zeros((unknown, 1))": ["int"],
    "x.permute((unknown, 0)).sum((unknown, 0))": ["int"],
    "torch.cat((unknown, x))": ["Tensor"],
    "torch.stack((unknown, unknown), 1)": ["Tensor"],
    "F.pad(x, (unknown, 1))": ["int"],
    "torch.tensor((unknown, 1))": ["int"],
    "torch.meshgrid((unknown, x))": ["Tensor"],
    "torch.norm(x, dim=(unknown, 1))": ["int"],
    "x[(unknown, 1)]": ["int", "Tensor"],
    "len((unknown, 1))": ["int", "Tensor"],
}


def verdicts(call: str, types: list[str]) -> list[list[int] | None]:
    """Return the rows where the compiler stops for each type of the unknown element; None if it does not stop."""
    found = [the_compiler()(HEAD + TEXT.format(imported="", call=call, type=type_)) for type_ in types]
    return [None if verdict.ok else list(verdict.lines[:1]) for verdict in found]


def rows(call: str) -> list[int]:
    """Return the rows of the static model's errors; the model does not know the type of the element."""
    text = TEXT.format(imported="from outside import Thing", call=call, type="Thing")
    return [event.span.row for event in events(text)]


@pytest.mark.parametrize("call", WRONG)
def test_a_wrong_element_is_an_error(call: str) -> None:
    assert verdicts(call, WRONG[call]) == [rows(call)] * len(WRONG[call])


@pytest.mark.parametrize("call", RIGHT)
def test_an_unknown_element_is_no_error(call: str) -> None:
    assert verdicts(call, RIGHT[call]) == [None] * len(RIGHT[call])
    assert rows(call) == []
