"""Tests values that differ between constructions, as items of loops and beside each other, against the compiler."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, kinds

TEXT = """
class Net(nn.Module):
    def __init__(self, sizes={sizes}, by={by}):
        super().__init__()
        self.sizes = sizes
        self.by = by

    def times(self, x, n):
        return x * n

    def sum(self, x, n, m):
        return x + n + m

    def forward(self, x):
        {body}
        return x


scripted = torch.jit.script(Net())
"""
BODIES = {
    "the items of a default": "for n in self.sizes:\n            x = self.times(x, n)",
    "beside other items": "for n, _ in zip(self.sizes, self.sizes):\n            x = self.times(x, n)",
    "two arguments of one call": "x = self.sum(x, self.by, self.sizes[0])",
}


@pytest.mark.parametrize("name", BODIES)
def test_an_error_that_occurs_in_some_constructions_has_a_condition(name: str) -> None:
    text = TEXT.format(body=BODIES[name], sizes="(3, 5)", by="2")
    assert not the_compiler()(HEAD + text).ok
    tensors = TEXT.format(body=BODIES[name], sizes="(torch.ones(2), torch.ones(2))", by="torch.ones(2)")
    assert the_compiler()(HEAD + tensors).ok
    assert kinds(text) == ["call-mismatch?"]
