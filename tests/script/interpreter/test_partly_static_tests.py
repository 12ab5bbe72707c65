"""Tests ``flag and layer is not None``: if one operand decides the test for some constructions, the compiler leaves
a branch out.
"""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, kinds

TEXT = """
class Net(nn.Module):
    def __init__(self, more: bool = False):
        super().__init__()
        self.more = more
        self.layer = nn.ReLU() if more else None
        if more:
            self.other = nn.ReLU()

    def forward(self, x: Tensor, n: int):
        {body}
        return x


scripted = torch.jit.script(Net())
"""
# For each body: whether the default construction, which has no layer, compiles.
CASES = {
    "if self.more and self.layer is not None:\n            x = self.layer(x)": True,
    "if n > 0 and self.more and self.layer is not None and n < 5:\n            x = self.layer(x)": True,
    "if n > 0 or self.layer is None:\n            x = x + 1\n        else:\n            x = self.layer(x)": True,
    "if not (n > 0 or self.layer is None):\n            x = self.layer(x)": True,
    "if n > 0 or self.layer is None:\n            return x\n        x = self.layer(x)": True,
    "if n > 0 and hasattr(self, 'other'):\n            x = self.other(x)": True,
    "x = self.layer(x) if n > 0 and self.layer is not None else x": True,
    "if n > 0 or self.layer is not None:\n            x = self.layer(x)": False,
    "if n > 0 and self.layer is not None:\n            x = x + 1\n        else:\n            x = self.layer(x)": False,
    "if n > 0 and self.layer is None:\n            return x\n        x = self.layer(x)": False,
    "x = self.layer(x) if n > 0 or self.layer is not None else x": False,
}


@pytest.mark.parametrize("body", CASES)
def test_the_branch_that_is_left_out(body: str) -> None:
    text = TEXT.format(body=body)
    assert the_compiler()(HEAD + text).ok is CASES[body]
    assert kinds(text) == ([] if CASES[body] else ["not-callable?"]), kinds(text)
