"""Tests types of ``typing`` and torch without parameters: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

# The body of the function, and whether the compiler accepts it.
CASES = {
    "return isinstance(x, List)": False,
    "return torch.jit.isinstance(x, List)": False,
    "return torch.jit.isinstance(x, Optional)": False,
    "return torch.jit.isinstance(x, (List[int], Dict))": False,
    "return isinstance(x, list)": True,
    "return torch.jit.isinstance(x, List[int])": True,
    "return torch.jit.annotate(List[torch.jit.Future], [])": False,
    "return torch.jit.annotate(List[torch.jit.Future[int]], [])": True,
}


@pytest.mark.parametrize("statement", CASES)
def test_a_type_says_what_it_contains(statement: str) -> None:
    text = f"def f(x: Any):\n    {statement}\n\n\nscripted = torch.jit.script(f)\n"
    agree("" if CASES[statement] else "unreadable-annotation", text)


ALIASES = """
from typing import Sequence, TypeVar

T = TypeVar("T")
S = TypeVar("S")
OneOrMany = Union[T, Sequence[T]]
OneOrList = Union[T, List[T]]
Swapped = Tuple[S, T]


def f(x: {annotation}):
    {body}


scripted = torch.jit.script(f)
"""
# The annotation, the body, and whether the compiler accepts them.
GENERIC = [
    ("OneOrMany[Tensor]", "return x[0]", False),
    ("OneOrList[Tensor]", "return torch.jit.isinstance(x, List[Tensor])", True),
    ("Optional[OneOrList[int]]", "return x is None", True),
    ("Swapped[Tensor, int]", "return x[0].relu() + (x[1] + 1)", True),
    ("Swapped[Tensor, set]", "return x[0]", False),
    ("OneOrList", "return x", False),
]


@pytest.mark.parametrize(("annotation", "body", "accepted"), GENERIC)
def test_the_brackets_of_an_alias_replace_its_type_variables(annotation: str, body: str, accepted: bool) -> None:
    agree("" if accepted else "unreadable-annotation", ALIASES.format(annotation=annotation, body=body))
