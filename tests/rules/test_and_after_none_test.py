"""Tests what follows `x is not None and` where the compiler knows that `x` is None: run by Python and compiled."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise
from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

TEXT = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n=None):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.ReLU()])

    def forward(self, x):
{body}
        return x


inputs = (torch.rand(2, 2),)
scripted = torch.jit.script(Net())
"""
# The value of `n` that is not None, the code as the author wrote it, the rule, and a line of the fixed code.
CASES = {
    "an order": ("1", "if self.n is not None and self.n > 0:\n    x = x * self.n", "TS306", "    if self.n > 0:\n"),
    "three parts": (
        "2", "if self.n is not None and x.dim() % self.n == 0 and x.dim() > 1:  # even\n    # twice\n    x = x + x",
        "TS306", "    if x.dim() % self.n == 0 and x.dim() > 1:  # even\n",
    ),
    "in": (
        "[1]", "for i, layer in enumerate(self.layers):\n    if self.n is not None and i in self.n:\n"
        "        x = layer(x)", "TS306", "        if i in self.n:\n",
    ),
    "an item": ("[1]", "if self.n is not None and self.n[0] > 0:\n    x = x + 1", "TS313", "    if self.n[0] > 0:\n"),
    "an attribute": (
        "torch.ones(2, 2)", "if self.n is not None and self.n.shape == x.shape:\n    x = x + 1", "TS314",
        "    if self.n.shape == x.shape:\n",
    ),
    "an else": (
        "1", "if self.n is not None and self.n > 0:\n    x = x + 1\nelse:\n    x = x - 1", "TS306",
        "if self.n > 0 if self.n is not None else False:\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_rest_of_a_test_is_compiled_only_where_it_has_a_value(name: str) -> None:
    value, body, code, line = CASES[name]
    indented = "\n".join(f"        {each}" for each in body.split("\n"))
    text = TEXT.format(body=indented)
    assert not the_compiler()(text).ok
    assert code in [each.code for each in findings(text)]
    after = check_promise(text, constructions=("Net()", f"Net({value})"))
    assert line in after and the_compiler()("import torch\nfrom torch import nn\n\n\nclass Net" + after).ok
