"""Tests that fixed code still runs inside functions of `torch.func`, which do not allow every call."""

from __future__ import annotations

import pytest
import torch

from tests.fixes.promise import fixed

HEAD = "import torch\nfrom torch import Tensor\nfrom torch.autograd import Variable\n\n\n@torch.jit.script\n"
# Ways to make a tensor that requires grad, in a function that the transformation calls.
WAYS = {
    "a keyword": "y = torch.zeros(3, requires_grad=True)",
    "an attribute": "y = torch.zeros(3)\n    y.requires_grad = True",
    "no gradient": "y = torch.zeros(3)\n    y.requires_grad = False",
    "a Variable": "y = Variable(torch.zeros(3), requires_grad=True)",
}


@pytest.mark.parametrize("way", WAYS)
def test_the_fixed_function_can_be_transformed(way: str) -> None:
    text = f"{HEAD}def work(x: Tensor):\n    {WAYS[way]}\n    return (x + y).sum()\n"
    after, outcome = fixed(text)
    assert outcome.applied
    names: dict[str, object] = {}
    exec(after.replace("@torch.jit.script\n", ""), names)
    gradient = torch.func.grad(names["work"])(torch.ones(3))
    assert gradient.tolist() == [1.0, 1.0, 1.0]
