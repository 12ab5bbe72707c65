"""Tests the bounds of slices: each row asks the compiler and the static model, for several types."""

from __future__ import annotations

import pytest

from tests.rules.driver import findings
from tests.script.agreement import agree
from tests.script.model import HEAD

TEXT = """
def f(x: Tensor, names: List[str], text: str, {parameter}):
    return {value}


scripted = torch.jit.script(f)
"""
# The parameter, the value, and the end of the message; empty if the compiler accepts it.
BOUNDS = [
    ("n: int", "x[n:]", ""),
    ("n: Optional[int]", "x[:n]", ""),
    ("n: bool", "x[:n]", ""),
    ("n", "x[0, n:, ::n]", ""),
    ("n: int", "x[..., -n:, : n // 2]", ""),
    ("n: float", "x[n:]", "the start is a float"),
    ("n: float", "x[..., -n:]", "the start is a float"),
    ("n: float", "x[0, :n, 1:n]", "the end is a float"),
    ("n: float", "names[:n]", "the end is a float"),
    ("n: float", "text[n:]", "the start is a float"),
    ("n: int", "x[: n / 2]", "the end is a float"),
    ("n: str", "x[:n]", "the end is a str"),
    ("n: Tuple[int, int]", "x[:n]", "the end is Tuple[int, int]"),
    ("n: Optional[Tensor]", "x[:n]", "the end is Optional[Tensor]"),
    ("n: Optional[int]", "x[::n]", "the step is Optional[int]"),
]


@pytest.mark.parametrize(("parameter", "value", "says"), BOUNDS)
def test_bounds_are_ints(parameter: str, value: str, says: str) -> None:
    text = TEXT.format(parameter=parameter, value=value)
    agree("operator-mismatch" if says else "", text)
    part, _, type_ = says.partition(" is ")
    expected = [f"{part} of the slice `{value}` is {type_}, but must be an int"] if says else []
    assert [each.message for each in findings(HEAD + text)] == expected


NET = """
class Net(nn.Module):
    def __init__(self, crop={default}):
        super().__init__()
        self.crop = crop

    def forward(self, x):
        if self.crop != 0:
            x = x[..., self.crop : -self.crop]
        return x


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(("default", "says"), [("0.0", "crop` is 0.0"), ("1", "")])
def test_bounds_that_the_constructor_keeps(default: str, says: str) -> None:
    text = NET.format(default=default)
    agree("operator-mismatch" if says else "", text)
    found = [each for each in findings(HEAD + text) if each.code == "TS306"]
    assert [each.start.row for each in found] == ([HEAD.count("\n") + 9] if says else [])
    assert all(says in each.message for each in found)
