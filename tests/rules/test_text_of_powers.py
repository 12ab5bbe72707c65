"""Tests what is said of a power in a text: only that of two ints is an int in Python."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

TEXT = """import torch


def run(n: int, x: float):
    return str({value})


scripted = torch.jit.script(run)
inputs = (3, 2.0)
"""


@pytest.mark.parametrize(
    ("value", "said", "help"),
    [
        ("2 ** n", "an int in Python (`8`), a float in TorchScript (`8.`)", "Write `int(2 ** n)`."),
        (
            "x ** 3",
            "TorchScript prints other digits, such as `3.` for `3.0`",
            "Compare the values instead",
        ),
        (
            "2 ** x",
            "TorchScript prints other digits, such as `3.` for `3.0`",
            "Compare the values instead",
        ),
    ],
)
def test_the_text_of_a_power(value: str, said: str, help: str) -> None:
    text = TEXT.format(value=value)
    (found,) = [each for each in findings(text) if each.code == "TS614"]
    assert found.message.endswith(said) and found.help is not None and found.help.startswith(help)
    ran = the_compiler()(text)
    assert ran.ok and ran.eager != ran.scripted
    assert the_compiler()(text.replace(f"str({value})", f"str(int({value}))")).ok
