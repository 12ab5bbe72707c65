"""Tests of annotations as an iterable: they become a list's only if no call in the file passes something else."""

from __future__ import annotations

import pytest

from tests.rules.driver import findings
from tslint.diagnostics import Applicability

TEXT = """import torch
from typing import Dict, Iterable


def total(names: Iterable[str]) -> int:
    n = 0
    for name in names:
        n += len(name)
    return n


def f(x, d: Dict[str, int], names: list[str]):
    return x + total({value})


scripted = torch.jit.script(f)
inputs = (torch.ones(2), {{"a": 1}}, ["a"])
"""


@pytest.mark.parametrize(
    ("value", "promise"),
    [
        ("names", Applicability.UNSAFE),
        ("list(d)", Applicability.UNSAFE),
        ("['a']", Applicability.UNSAFE),
        ("d.keys()", Applicability.DISPLAY),
        ("('a', 'b')", Applicability.DISPLAY),
        ("{'a'}", Applicability.DISPLAY),
        ("(each for each in names)", Applicability.DISPLAY),
        ("reversed(names)", Applicability.DISPLAY),
        ("names=d.keys()", Applicability.DISPLAY),
    ],
)
def test_what_calls_pass_decides(value: str, promise: Applicability) -> None:
    found = [each for each in findings(TEXT.format(value=value)) if "Iterable" in each.message]
    assert [each.fix.applicability for each in found if each.fix is not None] == [promise]


@pytest.mark.parametrize(("default", "promise"), [("None", Applicability.UNSAFE), ("()", Applicability.DISPLAY)])
def test_a_default_counts_like_an_argument(default: str, promise: Applicability) -> None:
    text = TEXT.format(value="names").replace("names: Iterable[str]", f"names: Iterable[str] = {default}")
    found = [each for each in findings(text) if "Iterable" in each.message]
    assert [each.fix.applicability for each in found if each.fix is not None] == [promise]
