"""Tests operands as the author wrote them: parentheses before a dot, and comparisons with None."""

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


def test_a_map_in_a_tuple_becomes_a_comprehension() -> None:
    text = """
        class Net(nn.Module):
          def __init__(self):
            super().__init__()
            self.convs = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

          def forward(self, x):
            return torch.cat(tuple(map(lambda conv: conv(x), self.convs)), dim=1)
        """
    assert "torch.cat([conv(x) for conv in self.convs], dim=1)" in check_promise(text)


# The parameters, the body, and lines of the fixed text; no lines if nothing may be fixed.
NONES = {
    "a default": (
        "z=None",
        "if z == None:\n      return x\n    return z",
        ["def forward(self, x, z: Optional[Tensor] = None):", "if z is None:"],
    ),
    "no default": (
        "z",
        "if z != None:\n      return x + z\n    return x",
        ["def forward(self, x, z: Optional[Tensor]):", "if z is not None:"],
    ),
    "an annotation": (
        "z: Tensor = None",
        "if z == None:\n      return x\n    return z",
        ["def forward(self, x, z: Optional[Tensor] = None):", "if z is None:"],
    ),
    "an Optional": (
        "z: Optional[Tensor] = None",
        "if z == None:\n      return x\n    return z",
        ["def forward(self, x, z: Optional[Tensor] = None):", "if z is None:"],
    ),
    "two tests": (
        "z=None",
        "if z == None:\n      x = x + 1\n    if z != None:\n      x = x * z\n    return x",
        ["def forward(self, x, z: Optional[Tensor] = None):", "if z is None:", "if z is not None:"],
    ),
    "bound afterwards": (
        "z=None",
        "if z == None:\n      z = x + 1\n    return z * x",
        ["def forward(self, x, z: Optional[Tensor] = None):", "if z is None:"],
    ),
    "under another name": ("z=None", "w = z\n    if w == None:\n      return x\n    return x * 2", []),
    "Any": ("z: Any = None", "if z == None:\n      return x\n    return x * 2", []),
    "chosen before": (
        "z=None, n: bool = True",
        "z = z if n else x\n    if z == None:\n      return x\n    return x * 2",
        [],
    ),
}


@pytest.mark.parametrize("name", NONES)
def test_what_may_be_none_is_compared_with_none(name: str) -> None:
    """For the compiler a Tensor is never None, so it would evaluate `z is None` as false, and differ from Python."""
    parameters, body, lines = NONES[name]
    text = f"from typing import Any\n\n\nclass Net(nn.Module):\n  def forward(self, x, {parameters}):\n    {body}\n"
    after = check_promise(text, inputs=("(torch.ones(2), None)", "(torch.ones(2), torch.ones(2) * 3)"))
    assert [line for line in lines if line not in after] == []
    assert lines or "== None" in after
