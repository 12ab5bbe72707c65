"""Tests attributes whose names a constructor computes: only names with the same beginning may be among them."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        for i in range(2):
            {statement}

    def forward(self, x: Tensor) -> Tensor:
        return x + self.{name}


scripted = torch.jit.script(Net())
"""
STATEMENTS = [
    'self.register_buffer(f"layer{i}", torch.rand(2))',
    'self.register_buffer("layer" + str(i), torch.rand(2))',
    'self.register_buffer("layer%d" % i, torch.rand(2))',
    'self.register_buffer("layer{}".format(i), torch.rand(2))',
    'setattr(self, f"layer{i}", torch.rand(2))',
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_name_that_begins_alike_may_exist(statement: str) -> None:
    agree("", TEXT.format(statement=statement, name="layer1"))


@pytest.mark.parametrize("statement", STATEMENTS)
def test_another_name_is_missing(statement: str) -> None:
    agree("missing-attribute", TEXT.format(statement=statement, name="kept"))


def test_nothing_is_known_where_the_beginning_is_not() -> None:
    agree("", TEXT.format(statement='setattr(self, ("kept", "other")[i], torch.rand(2))', name="kept"))
