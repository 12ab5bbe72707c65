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
