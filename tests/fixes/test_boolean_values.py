"""Tests ``x or default`` of a parameter that may be None: a conditional expression means the same, and compiles."""

from __future__ import annotations

import pytest

from tests.fixes.promise import HEAD, check_promise
from tests.rules.driver import findings

TEXT = """
class Net(nn.Module):
    def forward(self, x: Tensor, {parameter} = None):
        {body}
"""
CASES = {
    "an int": (
        "n: Optional[int]", "n = n or x.size(0)\n        return x * n", "n if n is not None and n else x.size(0)", "0 3"
    ),
    "a float": ("p: Optional[float]", "return x * (p or 0.5)", "(p if p is not None and p else 0.5)", "0.0 2.0"),
    "a str": ("s: Optional[str]", "s = s or 'a'\n        return x, s", "s if s is not None and s else 'a'", "'' 'b'"),
    "a Tensor": (
        "m: Optional[Tensor]", "m = m or x\n        return m + x", "m if m is not None and m else x",
        "torch.zeros(1) torch.ones(1)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_default_behind_or_becomes_a_conditional_expression(name: str) -> None:
    parameter, body, after, given = CASES[name]
    inputs = ["(torch.ones(2, 3),)", *(f"(torch.ones(2, 3), {each})" for each in given.split())]
    assert after in check_promise(TEXT.format(parameter=parameter, body=body), inputs=inputs)


def test_a_tuple_is_left_to_a_person() -> None:
    body = "size = size or (2, 2)\n        return x * size[0]"
    assert "size or (2, 2)" in check_promise(TEXT.format(parameter="size: Optional[Tuple[int, int]]", body=body))


def test_one_mistake_is_one_finding() -> None:
    body = "size = size or (2, 2)\n        return x * size[0]"
    found = findings(HEAD + TEXT.format(parameter="size: Optional[Tuple[int, int]]", body=body))
    assert [each.code for each in found if each.code != "TS508"] == ["TS414"]


def test_a_list_that_may_be_none_is_tested_for_none_first() -> None:
    text = """
class Net(nn.Module):
    def __init__(self, chosen=None):
        super().__init__()
        self.chosen = chosen

    def forward(self, x: Tensor) -> Tensor:
        if self.chosen:
            for each in self.chosen:
                x = x + x[each]
        return x
"""
    after = check_promise(text, ["Net()", "Net([0, 1])"])
    assert "if self.chosen is not None:\n            if self.chosen:\n                for each in self.chosen:" in after


def test_an_int_that_may_be_0_keeps_its_type() -> None:
    text = TEXT.format(parameter="n: int", body="n = n or x.size(0)\n        return x.view(n, -1)").replace("None", "0")
    assert "n = n if n else x.size(0)" in check_promise(text, inputs=["(torch.ones(2, 3),)", "(torch.ones(2, 3), 3)"])


def test_a_call_that_is_only_tested_keeps_its_help() -> None:
    body = "if count(x) and x.dim() > 1:\n            x = x + 1\n        return x"
    text = HEAD + "def count(x: Tensor) -> Optional[int]:\n    return 3\n\n\n" + TEXT.lstrip("\n")
    (found,) = (each for each in findings(text.format(parameter="n: Optional[int]", body=body)) if each.code == "TS414")
    assert found.help == "Test `count(x) is not None`; if its value matters as well, test that separately."
