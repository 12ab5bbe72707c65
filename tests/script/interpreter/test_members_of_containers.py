"""Tests the members of containers that compiled code does not have, against the compiler."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
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
