"""Tests attributes that a constructor computes with functions of torch and Python: each row asks the compiler and the
static model.
"""

from __future__ import annotations

import pytest

from tests.script.agreement import agree
from tests.script.model import events

TEXT = """
import math


class Net(nn.Module):
    def __init__(self, size: int = 4, width: int = 2):
        super().__init__()
        self.kept = {value}

    def forward(self, x: Tensor) -> Tensor:
        return {use}


scripted = torch.jit.script(Net())
"""
# The first takes an int, or a tensor of one element; the second a tensor.
INT, TENSOR = "x.unsqueeze(self.kept)", "x + self.kept.sum()"
INTS = [
    "max(size, width)",
    "min(size, 3)",
    "round(2.5 * 3)",
    "abs(-3)",
    "sum([size, width])",
    "math.comb(size, width)",
    "math.prod([size, width])",
    "size ** 2",
    "torch.zeros(3).numel()",
    "torch.zeros(3, 4).size(1)",
]
FLOATS = [
    "max(0.5, 1.5)",
    "size ** -0.5",
    "size ** -1",
    "math.sqrt(size)",
    "math.prod([size, 0.5])",
    "sum([size, 0.5])",
    "round(2.5, 1)",
]
TENSORS = [
    "torch.outer(torch.ones(3), torch.ones(3))",
    "torch.hann_window(size)",
    "torch.randint(0, 3, (size,))",
    "torch.einsum('i,j->ij', torch.ones(3), torch.ones(3))",
    "torch.max(torch.ones(3))",
    "torch.nn.functional.pad(torch.ones(3), (1, 1))",
    "torch.nn.init.xavier_uniform_(nn.Parameter(torch.ones(size, width)))",
    "torch.nn.init.orthogonal_(torch.ones(3, 3))",
    "torch.ones(3, 3).triu(1).masked_fill(torch.ones(3, 3) > 0, 0.0)",
    "torch.ones(3).normal_()",
    "nn.Parameter(torch.ones(3)).detach().clone()",
]


@pytest.mark.parametrize("value", INTS + FLOATS + TENSORS)
def test_an_attribute_is_an_int(value: str) -> None:
    agree("" if value in INTS + TENSORS else "operator-mismatch", TEXT.format(value=value, use=INT))


@pytest.mark.parametrize("value", INTS + FLOATS + TENSORS)
def test_an_attribute_is_a_tensor(value: str) -> None:
    agree("" if value in TENSORS else "no-such-member", TEXT.format(value=value, use=TENSOR))


@pytest.mark.parametrize(
    "value",
    [
        "torch.max(torch.ones(3, 3), 0)",  # a named tuple
        "torch.split(torch.ones(4), 2)",
        "torch.finfo(torch.float32)",
        "torch.ones(3).tolist()",
        "max(0.5, size)",  # an int or a float
        "sum([])",
        "math.frexp(2.5)",
        "torch.result_type(torch.ones(1), 1)",  # a dtype, which is an int only in compiled code
    ],
)
def test_other_results_are_unknown(value: str) -> None:
    assert not events(TEXT.format(value=value, use=TENSOR))
