"""Tests `len` of values with and without a length: each row is run in Python and compiled."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise
from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

TEXT = """\
import torch
from torch import Tensor, nn
from typing import Any, Dict, List, Optional, Tuple, Union


class Net(nn.Module):
    kept: Optional[List[int]]

    def __init__(self):
        super().__init__()
        self.kept = [4, 5]

    def forward(self, v: {type}) -> int:
        {body}


inputs = ({value},)
"""
# The parameter's type, its value, the body, and whether Python and compiled code differ.
CASES = {
    "an Optional list": ("Optional[List[int]]", "[1, 2]", "return len(v)", True),
    "an Optional dict": ("Optional[Dict[str, int]]", "{'a': 1, 'b': 2}", "return len(v)", True),
    "an Optional tuple": ("Optional[Tuple[int, int]]", "(1, 2)", "return len(v)", True),
    "an Optional Tensor": ("Optional[Tensor]", "torch.ones(3)", "return len(v)", True),
    "an Optional string": ("Optional[str]", "'abc'", "return len(v)", True),
    "an Optional item": ("List[Optional[List[int]]]", "[[1, 2]]", "return len(v[0])", True),
    "an Optional attribute": ("int", "0", "return len(self.kept)", True),
    "a Union": ("Union[List[int], List[str]]", "[1, 2]", "return len(v)", True),
    "Any": ("Any", "[1, 2]", "return len(v)", True),
    "after a test": ("Optional[List[int]]", "[1, 2]", "return len(v) if v is not None else 0", False),
    "after an assert": ("Optional[List[int]]", "[1, 2]", "assert v is not None\n        return len(v)", False),
    "a list": ("List[Optional[int]]", "[1, None]", "return len(v)", False),
    "a Tensor": ("Tensor", "torch.ones(3)", "return len(v) + len(v.shape)", False),
    "literals": ("int", "0", "return len('abc') + len((1, 2)) + len({'a': 1}) + len([1.5])", False),
}


@pytest.mark.parametrize("name", CASES)
def test_lengths_that_differ_are_found(name: str) -> None:
    type_, value, body, differs = CASES[name]
    text = TEXT.format(type=type_, value=value, body=body)
    verdict = the_compiler()(text)
    assert verdict.ok and (verdict.eager != verdict.scripted) is differs
    assert [each.code for each in findings(text)] == ["TS624"] * differs


# The statement as the author wrote it, and as it is fixed.
FIXED = {
    "return x * len(v)": "assert v is not None\n        return x * len(v)",
    "for i in range(len(v)):\n            x = x + i\n        return x": "assert v is not None\n        for i in",
    "return x * len(self.kept)": "kept = self.kept\n        assert kept is not None\n        return x * len(kept)",
}
NET = (
    TEXT.partition("    def forward")[0]
    + "    def forward(self, x: Tensor, v: Optional[List[int]] = None):\n        {body}\n"
)


@pytest.mark.parametrize("body", FIXED)
def test_the_fix_asserts_what_python_requires(body: str) -> None:
    inputs = ("(torch.ones(2), [1, 2])", "(torch.ones(2),)")
    assert FIXED[body] in check_promise(NET.format(body=body), ("Net()",), inputs)
