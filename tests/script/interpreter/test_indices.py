"""Tests indices, keys and bounds of slices that are not values in compiled code: global variables of Python."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
FIRST = 1
NAME = "a"


@torch.jit.script
def f(x: Tensor, xs: List[int], named: Dict[str, int], text: str):
    {body}


"""
BODIES = [
    "return x[FIRST]",
    "return x[:, FIRST:]",
    "return x.shape[FIRST]",
    "return xs[FIRST]",
    "return xs[FIRST:]",
    "return named[NAME]",
    "return text[FIRST]",
    "return (1, 2)[FIRST]",
    "return (1, 2, 3)[FIRST:]",
    "xs[FIRST] = 2",
    "named[NAME] = 2",
    "x[FIRST] = 2",
]


@pytest.mark.parametrize("body", BODIES)
def test_a_global_variable_is_no_index(body: str) -> None:
    agree("closed-over-global", TEXT.format(body=body))


@pytest.mark.parametrize("body", [each for each in BODIES if "(1, 2" not in each])
def test_a_local_variable_is_one(body: str) -> None:
    local = body.replace("FIRST", "first").replace("NAME", "name")
    agree("", TEXT.format(body=f"first, name = 1, 'a'\n    {local}"))
