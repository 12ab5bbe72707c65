"""Tests numpy arrays in attributes: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree
from tests.script.model import events

TEXT = """
import numpy as np


class Net(nn.Module):
    def __init__(self, size: int = 4):
        super().__init__()
        self.size = size
        self.prepare()
        {statement}

    def prepare(self):
        self.counted = 2

    def forward(self, x: Tensor) -> Tensor:
        kept = self.kept
        return x


scripted = torch.jit.script(Net())
"""
ARRAYS = [
    "self.kept = np.logspace(0, 2, 3)",
    "self.kept = np.concatenate([np.zeros(2), np.ones(2)])",
    "self.kept = np.arange(size).astype(np.int64)",
    "self.kept = np.arange(size).reshape(2, -1).copy()",
    "self.kept = np.unique(np.arange(size))",
    "self.kept, counts = np.unique(np.arange(size), return_counts=True)",
    "self.kept = np.triu_indices(size, k=1)",
    "self.kept = np.diag_indices(size)",
    "rows, self.kept = np.tril_indices(size)",
]
OTHERS = [
    "self.kept = np.arange(size).tolist()",
    "self.kept = len(np.unique(np.arange(size)))",
    "self.kept = float(np.logspace(0, 2, 3).sum())",
    "self.kept = torch.from_numpy(np.arange(size).astype(np.float32))",
]


@pytest.mark.parametrize("statement", ARRAYS + OTHERS)
def test_an_array_is_no_attribute(statement: str) -> None:
    agree("attribute-inconvertible" if statement in ARRAYS else "", TEXT.format(statement=statement))


@pytest.mark.parametrize("condition", [False, True])
def test_an_attribute_set_by_a_method_of_the_constructor_is_certain(condition: bool) -> None:
    text = (
        "import numpy as np\n\n\nclass Net(nn.Module):\n    def __init__(self, size: int = 4):\n"
        "        super().__init__()\n        self.keep(size)\n\n"
        "    def keep(self, size):\n        self.kept = np.arange(size)\n\n"
        + ("    def more(self):\n        self.kept = torch.ones(2)\n\n" if condition else "")
        + "    def forward(self, x: Tensor) -> Tensor:\n        kept = self.kept\n        return x\n"
    )
    found = [event for event in events(text) if event.kind == "attribute-inconvertible"]
    assert [event.condition is not None for event in found] == [condition]
