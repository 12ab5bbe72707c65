"""Tests builtins that compiled code delegates to Python: their arguments are tensors, and no message denies that they
exist.
"""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

NET = """import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print({})
        return x


scripted = torch.jit.script(Net())
"""

NO_TYPE = ": TorchScript has no `type`"


@pytest.mark.parametrize(
    ("value", "code", "message"),
    [
        ("x", "TS804", "`type(...)` is left to Python: compiled code raises there, and the module cannot be saved"),
        ("self", "TS211", f"`type(self)`{NO_TYPE}"),
        ("3", "TS211", f"`type(3)`{NO_TYPE}"),
    ],
)
def test_python_is_passed_tensors(value: str, code: str, message: str) -> None:
    text = NET.format(f"type({value})")
    assert the_compiler()(text).ok is (code == "TS804")
    assert [(each.code, each.message) for each in findings(text)] == [(code, message)]
