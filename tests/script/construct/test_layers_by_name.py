"""Tests ``getattr(nn, name)``: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
class Net(nn.Module):
    def __init__(self, kind: str = "GRU"):
        super().__init__()
        self.layer = {made}

    def forward(self, x: Tensor):
        {body}


scripted = torch.jit.script(Net())
"""
BY_NAME = "getattr(nn, kind)(3, 3, bidirectional=True)"
FLATTENED = "self.layer.flatten_parameters(); return self.layer(x)[0]"
# The created layer, its use, and the event at which the compiler stops.
CASES = {
    "an RNN by a name that is given": (BY_NAME, FLATTENED, "module-method"),
    "an RNN by a name that is written": ("getattr(nn, 'LSTM')(3, 3)", FLATTENED, "module-method"),
    "its members": (BY_NAME, "return self.layer(x)[0] * self.layer.hidden_size", ""),
    "its result": (BY_NAME, "out, h = self.layer(x); return out, h", ""),
    "its weights": (BY_NAME, "return self.layer.weight_ih_l0_reverse", ""),
    "its bias": ("getattr(nn, kind)(3, 3, bidirectional=False, bias=True)", "return self.layer.bias_ih_l0", ""),
    "of one kind": ("getattr(nn, 'RNN')(3, 3, bidirectional=True)", "return self.layer.nonlinearity", ""),
    "another layer": ("getattr(nn, 'Li' + 'near')(3, 3)", "return self.layer(x)", ""),
}


@pytest.mark.parametrize("name", CASES)
def test_a_layer_that_is_found_by_its_name(name: str) -> None:
    made, body, kind = CASES[name]
    agree(kind, TEXT.format(made=made, body=body))
