"""Tests names that are only bound under ``if TYPE_CHECKING:``: they do not exist when the compiler looks them up."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

TEXT = """from __future__ import annotations

import math
import typing
from typing import TYPE_CHECKING, Dict, Optional

import torch
from torch import nn

{condition}
    import math as numbers
    from collections.abc import Mapping
    from typing import List, Sequence, Text

    from torch import Tensor as Features

    class Config:
        width: int
{other}

class Net(nn.Module):
    def forward(self, x, y: {annotation} = None):
        {body}
        return x


scripted = torch.jit.script(Net())
"""
CHECKED = "if TYPE_CHECKING:"


def agree(text: str, code: str) -> None:
    assert the_compiler()(text).ok is not bool(code), the_compiler()(text)
    assert [each.code for each in findings(text) if each.severity == "error"] == ([code] if code else [])


@pytest.mark.parametrize(
    ("annotation", "code"),
    [
        ("Optional[Features]", "TS506"),
        ("'Optional[Features]'", "TS506"),
        ("Optional[Config]", "TS506"),
        ("Optional[Dict[str, Features]]", "TS506"),
        ("Optional[Mapping[str, int]]", "TS506"),
        ("'Optional[Mapping[str, int]]'", "TS506"),
        # The compiler looks names up in `typing`, too, whatever the file imports from there.
        ("Optional[List[int]]", ""),
        ("Optional[Text]", ""),
        ("Optional[Sequence[int]]", "TS506"),
        ("Optional[int]", ""),
    ],
)
def test_annotations(annotation: str, code: str) -> None:
    agree(TEXT.format(condition=CHECKED, other="", annotation=annotation, body="pass"), code)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("z: Features = x", "TS506"),
        ("z: 'Features' = x", "TS506"),
        ("x = x * numbers.pi", "TS201"),
        ("x = x * math.pi", ""),
        ("if isinstance(x, Features):\n            x = x + 1", "TS506"),
        ("if not torch.jit.is_scripting():\n            x = x * numbers.pi", ""),
    ],
)
def test_code(body: str, code: str) -> None:
    agree(TEXT.format(condition=CHECKED, other="", annotation="Optional[int]", body=body), code)


@pytest.mark.parametrize(
    ("condition", "other", "code"),
    [
        ("if typing.TYPE_CHECKING:", "", "TS506"),
        ("if TYPE_CHECKING:", "else:\n    Features = torch.Tensor\n", ""),
        ("if not TYPE_CHECKING:", "", ""),
        ("if TYPE_CHECKING or math.pi > 3:", "", ""),
        ("if TYPE_CHECKING:", "Features = torch.Tensor\n", ""),
        ("if TYPE_CHECKING:", "try:\n    Features = torch.Tensor\nexcept AttributeError:\n    pass\n", ""),
        ("if TYPE_CHECKING:", "def later():\n    global Features\n    Features = torch.Tensor\n\n\nlater()\n", ""),
    ],
)
def test_names_that_exist(condition: str, other: str, code: str) -> None:
    agree(TEXT.format(condition=condition, other=other, annotation="Optional[Features]", body="pass"), code)


def test_the_help_names_what_is_missing() -> None:
    text = TEXT.format(condition=CHECKED, other="", annotation="Optional[Features]", body="pass")
    found = next(each for each in findings(text) if each.code == "TS506")
    assert found.message == "TorchScript cannot read the annotation `Features`"
    assert found.help == "Define or import `Features` at run time, not under `if TYPE_CHECKING:` only."
