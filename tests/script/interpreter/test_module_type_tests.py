"""Tests `isinstance(x, nn.Module)`: the compiler does not know the type, whatever `x` is."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
class Net(nn.Module):
    def __init__(self, deep: bool = False):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.none = None
        self.maybe = nn.Linear(2, 2) if deep else None

    def forward(self, x: Tensor) -> Tensor:
        if {test}:
            x = x + 1
        return x


scripted = torch.jit.script(Net())
"""
REFUSED = [
    "isinstance(x, nn.Module)",
    "isinstance(x, (Tensor, nn.Module))",
    "isinstance(self.layer, torch.nn.Module)",
    "isinstance(self.none, nn.Module)",
    "isinstance(self.maybe, nn.Module)",
    "not isinstance(self.layer, nn.Module) and x.sum() > 0",
]
TAKEN = [
    "isinstance(x, Tensor)",
    "isinstance(x, nn.Parameter)",
    "torch.jit.is_scripting() or isinstance(x, Tensor)",
]


@pytest.mark.parametrize("test", REFUSED)
def test_isinstance_with_module_is_refused(test: str) -> None:
    agree("unreadable-annotation", TEXT.format(test=test))


@pytest.mark.parametrize("test", TAKEN)
def test_other_type_tests_are_accepted(test: str) -> None:
    agree("", TEXT.format(test=test))


def test_isinstance_with_module_in_a_pruned_branch_is_accepted() -> None:
    branch = "not torch.jit.is_scripting():\n            x = x + int(isinstance(x, nn.Module))\n        if x.sum() > 0"
    agree("", TEXT.format(test=branch))
