"""Tests comparisons with an attribute that starts as None and gets a value later: a variable is tested first."""

from __future__ import annotations

import pytest

from tests.fixes.promise import HEAD, asked, check_promise, fixed
from tests.rules.driver import findings

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.size = None
        self.table = None

    def forward(self, x, n: int = 3):
        size = x.size(1)
        {test}:
            self.size = {size}
            self.table = torch.arange(x.size(1)).float()
        return x + x.size(1)
"""
INPUTS = ("(torch.ones(2, 3),)", "(torch.zeros(1, 4),)")
FIXED = {
    "not equal": ("if size != self.size", "size", "if current_size is None or size != current_size:"),
    "from the other side": ("if self.size != size", "size", "if current_size is None or current_size != size:"),
    "equal": ("if size == self.size", "size", "if current_size is not None and size == current_size:"),
    "an expression": ("if len(x) != self.size", "len(x)", "if current_size is None or len(x) != current_size:"),
}


@pytest.mark.parametrize("name", FIXED)
def test_a_variable_is_tested_first(name: str) -> None:
    test, size, written = FIXED[name]
    after = check_promise(NET.format(test=test, size=size), inputs=INPUTS)
    assert f"        current_size = self.size\n        {written}\n" in after
    whole = fixed(HEAD + NET.format(test=test, size=size).lstrip("\n"))[0]
    assert all(verdict.ok for _, verdict in asked(whole, ["Net()"], INPUTS))


@pytest.mark.parametrize(
    "test", ["if n != self.size", "if x is not None and size != self.size", "if x.sum() != self.size"]
)
def test_what_may_be_none_itself_is_compared_as_before(test: str) -> None:
    after = check_promise(NET.format(test=test, size="size"), inputs=INPUTS)
    assert "current_size" not in after


def test_a_property_may_set_the_attribute_in_between() -> None:
    after = check_promise(
        """
        class Net(nn.Module):
            h: Optional[Tensor]

            def __init__(self):
                super().__init__()
                self.h = torch.ones(3)

            @property
            def ticks(self):
                self.h = self.h * 2
                return 3

            def forward(self, x):
                y = x + self.h
                n = self.ticks
                return y * self.h + n
        """,
        differs=True,
    )
    assert "n = self.ticks\n        return y * h" not in after and "return y * h + n" not in after


def test_a_comparison_that_is_stored_is_no_test() -> None:
    text = NET.format(test="same = size != self.size\n        if same", size="size")
    assert "TS900" not in [each.code for each in findings(HEAD + text.lstrip("\n"))]
    assert "current_size" not in check_promise(text, inputs=INPUTS)
