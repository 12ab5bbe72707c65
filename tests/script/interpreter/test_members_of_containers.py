"""Tests the members of containers that compiled code does not have, against the compiler."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings
from tests.script.agreement import agree
from tests.script.model import HEAD, kinds

TEXT = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = {made}

    def forward(self, x):
        {body}
        return x


scripted = torch.jit.script(Net())
"""
CONTAINERS = {
    "Sequential": "nn.Sequential(nn.Linear(2, 2))",
    "ModuleList": "nn.ModuleList([nn.Linear(2, 2)])",
    "ModuleDict": "nn.ModuleDict({'a': nn.Linear(2, 2)})",
}
BODIES = {
    "for layer in self.layers._modules.values():\n            x = layer(x)": ["missing-attribute"],
    "for p in self.layers.parameters():\n            x = x + p.sum()": ["module-method"],
    "state = self.layers.state_dict()": ["module-method"],
    "for _, layer in self.layers.named_children():\n            x = layer(x)": [],
    "x = x if self.layers.training else x + 1": [],
}


@pytest.mark.parametrize("kind", CONTAINERS)
@pytest.mark.parametrize("body", BODIES)
def test_members_of_containers(kind: str, body: str) -> None:
    text = TEXT.format(made=CONTAINERS[kind], body=body)
    assert the_compiler()(HEAD + text).ok is not bool(BODIES[body])
    assert kinds(text) == BODIES[body]


SELF = """
class Net({base}):
    {mark}
    def __len__(self) -> int:
        return 2

    def forward(self, x):
        return {value}


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net({given})

    def forward(self, x):
        return self.net(x) * {outer}


scripted = torch.jit.script(Outer())
"""
# The base, its arguments, the decorator of `__len__`, the value in its method, the one in another class, and whether
# the compiler accepts them.
IN_METHODS = [
    ("nn.Module", "", "", "x * len(self)", "1", False),
    ("nn.Module", "", "@torch.jit.export", "x * len(self)", "1", True),
    ("nn.Sequential", "nn.ReLU()", "", "x * len(self)", "1", False),
    ("nn.Sequential", "nn.ReLU()", "", "x + 1", "len(self.net)", True),
    ("nn.ModuleList", "[nn.ReLU()]", "", "x if len(self) > 1 else -x", "1", False),
    ("nn.ModuleDict", "{'a': nn.ReLU()}", "", "x if 'a' in self else -x", "1", False),
    ("nn.ModuleDict", "{'a': nn.ReLU()}", "", "x + 1", "int('a' in self.net)", True),
]


@pytest.mark.parametrize(("base", "given", "mark", "value", "outer", "accepted"), IN_METHODS)
def test_self_has_no_methods_that_python_calls(
    base: str, given: str, mark: str, value: str, outer: str, accepted: bool
) -> None:
    text = SELF.format(base=base, given=given, mark=mark, value=value, outer=outer)
    agree("" if accepted else "no-such-member", text)


# The slice in the loop, and the message; empty if the compiler accepts it.
LOOPS = {
    "self.weights": "",
    "[self.weights[0], self.weights[-1]]": "",
    "self.weights[:-1]": "`self.weights[:-1]` slices an nn.ParameterList, which TorchScript does not support",
    "self.weights[:]": "`self.weights[:]` slices an nn.ParameterList, which TorchScript does not support",
}


@pytest.mark.parametrize("walked", LOOPS)
def test_parameter_lists_have_no_slices(walked: str) -> None:
    made = "nn.ParameterList([nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))])"
    body = f"for weight in {walked}:\n            x = x * weight"
    text = TEXT.format(made=made, body=body).replace("self.layers", "self.weights")
    agree("container-slice" if LOOPS[walked] else "", text)
    said = [each.message for each in findings(HEAD + text) if each.code == "TS407"]
    assert said == ([LOOPS[walked]] if LOOPS[walked] else [])
