"""Tests which objects cannot be constants of a module, against the compiler."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

TEXT = """import enum
from dataclasses import dataclass
from typing import NamedTuple, Optional

import torch
from torch import nn


class Plain:
    def __init__(self):
        self.size = 1


@dataclass
class Config:
    size: int = 1


class Size(NamedTuple):
    width: int = 1


class Number(int):
    pass


class Mixin:
    pass


class Layer(nn.ReLU, Mixin):
    pass


class Net(nn.Module):
    __constants__ = ["held"]

    def __init__(self, {parameter}):
        super().__init__()
        self.held = {value}

    def forward(self, x):
        return x


scripted = torch.jit.script(Net({argument}))
"""


@pytest.mark.parametrize(
    ("parameter", "value", "argument", "accepted", "found"),
    [
        ("n", "Plain()", "1", False, True),
        ("n", "Config()", "1", False, True),
        ("n", "Number(1)", "1", True, False),
        ("n", "Layer()", "1", True, False),
        ("config: Config", "config", "Config()", False, True),
        ("config: Config = Config(2)", "config", "", False, True),
        ("config: Config = None", "config", "", True, False),
        ("config: Optional[Config]", "config", "None", True, False),
        ("config: Size", "config", "Size()", True, False),
        ("config: Mixin", "config", "Layer()", True, False),
        ("config: Config", "config.size", "Config()", True, False),
    ],
)
def test_an_object_of_a_class_is_no_constant(
    parameter: str, value: str, argument: str, accepted: bool, found: bool
) -> None:
    text = TEXT.format(parameter=parameter, value=value, argument=argument)
    assert the_compiler()(text).ok is accepted
    errors = [each.code for each in findings(text) if each.severity == "error"]
    assert errors == (["TS423"] if found else [])
