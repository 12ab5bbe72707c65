"""Tests classes whose ``__new__`` returns another object: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
class Plain:
    pass


class Chosen{bases}:
    def __new__(cls, size: int):
        return {made}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Chosen(3)

    def forward(self, x: Tensor):
        return self.layer(x)


scripted = torch.jit.script(Net())
"""
# The bases of the class, and what its `__new__` returns: both compile.
CASES = {
    "a layer of torch": ("", "nn.Linear(size, size)"),
    "from a base class of the project": ("(Plain)", "nn.Sequential(nn.ReLU())"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_class_may_create_objects_of_another_class(name: str) -> None:
    bases, made = CASES[name]
    agree("", TEXT.format(bases=bases, made=made))
