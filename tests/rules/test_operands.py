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


def test_a_map_in_a_tuple_becomes_a_comprehension() -> None:
    text = """
        class Net(nn.Module):
          def __init__(self):
            super().__init__()
            self.convs = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

          def forward(self, x):
            return torch.cat(tuple(map(lambda conv: conv(x), self.convs)), dim=1)
        """
    after = " ".join(check_promise(text, differs=True).split())
    assert "( [conv(x) for conv in self.convs] if torch.jit.is_scripting() else tuple([conv(x)" in after
