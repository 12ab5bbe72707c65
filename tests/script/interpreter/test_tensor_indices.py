"""Tests indices of tensors after an ellipsis: each row asks the compiler and the static model, for reading and for
writing.
"""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
def f(x: Tensor, i: Tensor, n: int, ints: List[int], maybe: Optional[Tensor], one, v: Tensor):
    {statement}


scripted = torch.jit.script(f)
"""
TAKEN = ["..., n", "..., 1:, 0", "..., None, n", "..., int(i)", "i, ...", "i, ..., 0", "i, n", "[0, 1], ..., :2"]
REFUSED = [
    "..., i",
    "..., i, 0",
    "..., 0, i",
    "..., :, i",
    "..., None, i",
    "0, ..., i",
    "i, ..., i",
    "..., [0, 1]",
    "..., ints",
    "..., x > 0",
    "..., maybe",
    "..., one",
    "Ellipsis, i",
]


@pytest.mark.parametrize("statement", ["return x[{}]", "x[{}] = v"])
@pytest.mark.parametrize("index", TAKEN + REFUSED)
def test_what_follows_an_ellipsis_names_no_dimension(index: str, statement: str) -> None:
    agree("tensor-after-ellipsis" if index in REFUSED else "", TEXT.format(statement=statement.format(index)))
