"""Tests numpy's ints as sizes of layers: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
import numpy as np

SIZES = {{"a": 4, "b": 3}}
MIXED = {{"a": 4, "b": 3.5}}
ITEMS = {{"a": nn.Linear(4, 1), "b": nn.Linear(3, 1)}}


class Net(nn.Module):
    def __init__(self, shape{annotation}, n: int = 2, keys=("a", "b"), key="a"):
        super().__init__()
        {statement}

    def forward(self, x: Tensor) -> Tensor:
        return x


scripted = torch.jit.script(Net([2, 3]))
"""
GROWING = "layers = [nn.Linear(np.prod([2, 3]), 1)]\n        for each in shape:\n            layers.append(nn.ReLU())\n"
REFUSED = {
    "a list of ints": (": List[int]", "self.fc = nn.Linear(np.prod(shape), 1)"),
    "a tuple of ints": (": Tuple[int, int]", "self.fc = nn.Linear(np.prod(shape), 1)"),
    "a tuple of any length": (": Tuple[int, ...]", "self.fc = nn.Linear(np.prod(shape), 1)"),
    "part of a product": (": List[int]", "self.fc = nn.Linear((np.prod(shape) + 2) // 2, 1)"),
    "an int among others": ("", "self.fc = nn.Linear(np.prod((n, 2)), 1)"),
    "a default": (": Any = [2, 3]", "self.fc = nn.Linear(np.prod(shape), 1)"),
    "looked up by each key of a list": ("", "self.fc = nn.Linear(np.sum([SIZES[key] for key in keys]), 1)"),
    "looked up by each key, with a default": ("", "self.fc = nn.Linear(np.sum([SIZES.get(k, 1) for k in keys]), 1)"),
    "looked up by a parameter": ("", "self.fc = nn.Linear(np.sum([SIZES[key], n]), 1)"),
    "in a list that grows": ("", f"{GROWING}        self.fc = nn.Sequential(*layers)"),
    "in a ModuleList that grows": ("", f"{GROWING}        self.fc = nn.ModuleList(layers)"),
}
ACCEPTED = {
    "made an int": (": List[int]", "self.fc = nn.Linear(int(np.prod(shape)), 1)"),
    "by math": (": List[int]", "self.fc = nn.Linear(math.prod(shape), 1)"),
    "looked up, and made an int": ("", "self.fc = nn.Linear(int(np.sum([MIXED[key] for key in keys])), 1)"),
    "looked up, and summed by Python": ("", "self.fc = nn.Linear(sum([SIZES[key] for key in keys]), 1)"),
    "layers by each key": ("", "self.fc = nn.ModuleList([ITEMS[key] for key in keys])"),
    "not stored": (": List[int]", "size = np.prod(shape)"),
    "replaced": ("", GROWING.replace("ReLU())", "ReLU())\n            layers.pop(0)") + "        self.fc = layers[0]"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_size_of_numpy_is_no_constant(name: str) -> None:
    annotation, statement = REFUSED[name]
    agree("module-argument", TEXT.format(annotation=annotation, statement=statement))


@pytest.mark.parametrize("name", ACCEPTED)
def test_an_int_of_python_is_a_constant(name: str) -> None:
    annotation, statement = ACCEPTED[name]
    agree("", TEXT.format(annotation=annotation, statement=statement))
