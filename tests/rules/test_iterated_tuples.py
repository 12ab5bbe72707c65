"""Tests tuples with a star that are only iterated: Python computes the same before and after the fix."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise

TEXT = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(3, 3), nn.Linear(3, 6)

    def forward(self, x):
        parts = (self.one(x), *self.two(x).chunk(2, dim=-1))
        {rest}
"""
LISTED = "parts = [self.one(x)] + list(self.two(x).chunk(2, dim=-1))"
# The statements that use the tuple, and whether it becomes a list.
ROWS = {
    "map": ("a, b, c = map(lambda t: t + 1, parts)\n        return a * b + c", True),
    "a loop": ("for part in parts:\n            x = x + part\n        return x", True),
    "a comprehension": ("return torch.stack([part * 2 for part in parts])", True),
    "unpacked": ("a, b, c = parts\n        return a * b + c", True),
    "zip": ("for part, i in zip(parts, [1, 2, 3]):\n            x = x + part * i\n        return x", True),
    "returned": ("return parts", False),
    "an operand": ("return torch.stack(list(parts + (x,)))", False),
    "assigned again": ("parts = (x,) if x.sum() > 100 else parts\n        return len(parts) + x", False),
    "counted": ("return x + len(parts)", True),
    "kept": ("self.kept = parts\n        return x + len(parts)", False),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_tuple_that_is_only_iterated_becomes_a_list(name: str) -> None:
    rest, listed = ROWS[name]
    assert (LISTED in check_promise(TEXT.format(rest=rest))) is listed


def test_a_function_of_the_file_with_the_name_of_a_builtin_may_mind() -> None:
    own = "def zip(a, b):\n    return a if isinstance(a, tuple) else b\n\n\n"
    text = own + TEXT.format(rest="return x + sum(zip(parts, (x,)))")
    assert LISTED not in check_promise(text)
