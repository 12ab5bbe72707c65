"""What stands before a dot keeps its parentheses when it is written again."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise

LINES = {
    "a cast": "y = (x * 2 > 0).bool()",
    "a method under another name": "y = x + (x + 1).ndimension()",
    "the distinct values": "y = (x - 1).unique()",
    "rows": "a, b = x + 1\n    y = a * b",
}


@pytest.mark.parametrize("name", LINES)
def test_parentheses_stay(name: str) -> None:
    text = f"class Net(nn.Module):\n  def forward(self, x):\n    {LINES[name]}\n    return y\n"
    check_promise(text)
