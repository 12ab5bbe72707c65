"""Tests properties that constructors read, and variables of the class that methods set."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

READ = """
class Net(nn.Module):
    __jit_unused_properties__ = ["on"]

    {kind}
    def on(self):
        return {value}

    def __init__(self):
        super().__init__()
        if {test}:
            self.other = 2
        else:
            self.scale = 3

    def forward(self, x: Tensor) -> Tensor:
        return x * self.scale


scripted = torch.jit.script(Net())
"""
# The property's value, the test of the constructor, and the finding.
READS = {
    "false": ("@property", "False", "self.on", ""),
    "true": ("@property", "True", "self.on", "missing-attribute"),
    "negated": ("@property", "1", "not self.on", ""),
    "a method is true": ("@torch.jit.unused", "False", "self.on", "missing-attribute"),
}


@pytest.mark.parametrize("name", READS)
def test_a_property_is_read_by_its_getter(name: str) -> None:
    kind, value, test, expected = READS[name]
    agree(expected, READ.format(kind=kind, value=value, test=test))


SET = """
class Net(nn.Module):
    {variable}

    def __init__(self):
        super().__init__()
        {init}

    def forward(self, x: Tensor) -> Tensor:
        {body}
        return x


scripted = torch.jit.script(Net())
"""
SETS = {
    "annotated": ("last: int", "pass", "self.last = x.size(0)", "set-missing-attribute"),
    "with a value": ("last = 0", "pass", "self.last = x.size(0)", "set-missing-attribute"),
    "annotated, with a value": ("last: int = 0", "pass", "self.last = x.size(0)", "set-missing-attribute"),
    "read first": ("last = 0", "pass", "self.last += 1", "class-variable"),
    "of the instance": ("last: int", "self.last = 0", "self.last = x.size(0)", ""),
}


@pytest.mark.parametrize("name", SETS)
def test_a_variable_of_the_class_is_not_visible_before_a_run(name: str) -> None:
    variable, init, body, expected = SETS[name]
    agree(expected, SET.format(variable=variable, init=init, body=body))
