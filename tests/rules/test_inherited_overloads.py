"""Tests classes that inherit the overloaded ``forward`` of a class of ``torch.nn``, against the compiler."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

TEXT = """import torch
from torch import nn


class Layer(nn.{base}):
    {body}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = {layer}

    def forward(self, x, state):
        return self.layer({given})


scripted = torch.jit.script(Net())
"""
OWN = "def forward(self, x):\n        return torch.relu(x)"
INIT = "def __init__(self, a, b):\n        super().__init__(a, b)"


@pytest.mark.parametrize(
    ("base", "body", "layer", "given", "found"),
    [
        ("LSTM", "pass", "Layer(1, 1)", "x", 1),
        ("LSTM", INIT, "Layer(1, 1)", "x", 1),
        ("LSTM", OWN, "Layer(1, 1)", "x", 0),
        ("LSTM", OWN, "nn.LSTM(1, 1)", "x", 0),
        ("GRU", "pass", "Layer(1, 1)", "x", 1),
        ("GRU", INIT, "Layer(1, 1)", "x", 1),
        ("GRU", "pass", "Layer(1, 1)", "x, state", 0),
        ("GRU", "pass", "Layer(1, 1)", "x, hx=state", 0),
        ("GRU", "pass", "nn.GRU(1, 1)", "x", 0),
        ("RNN", "pass", "Layer(1, 1)", "x", 1),
        ("RNN", OWN, "Layer(1, 1)", "x", 0),
        ("GRUCell", "pass", "Layer(1, 1)", "x", 0),
        ("LSTMCell", "pass", "Layer(1, 1)", "x", 0),
        ("Conv1d", "pass", "Layer(1, 1, 1)", "x", 0),
    ],
)
def test_overloads_are_not_inherited(base: str, body: str, layer: str, given: str, found: int) -> None:
    text = TEXT.format(base=base, body=body, layer=layer, given=given)
    assert the_compiler()(text).ok is not bool(found)
    errors = [each for each in findings(text) if each.severity == "error"]
    assert [each.code for each in errors] == ["TS426"] * found
    assert all(f"does not inherit the overloads of `nn.{base}`" in each.message for each in errors)
