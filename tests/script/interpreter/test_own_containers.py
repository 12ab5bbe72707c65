"""Tests what is known about modules that are themselves containers, against the compiler."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree
from tests.script.model import events

TEXT = """
class Tagged(nn.Module):
    def forward(self, x):
        return x, x


class Layers({base}):
    def __init__(self, n=2):
        {init}
    {forward}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = Layers()

    def forward(self, x):
        {body}
        return y


scripted = torch.jit.script(Net())
"""
EACH = "\n    def forward(self, x):\n        for layer in self:\n            x = layer(x)\n        return x.missing\n"
CALL = "y = self.layers(x).missing"
WALK = "y = x\n        for layer in self.layers:\n            y = layer(y)\n        y = y.missing"

# The base, the constructor, the class's own forward, what another module does with it, and the event.
CASES = [
    ("nn.Sequential", "super().__init__(nn.ReLU(), nn.Tanh())", "", CALL, "no-tensor-member"),
    ("nn.Sequential", "super().__init__(nn.ReLU(), nn.Tanh())", "", "y = self.layers(x)", ""),
    ("nn.Sequential", "super().__init__(nn.ReLU(), Tagged())", "", "y = self.layers(x) + 1", "operator-mismatch"),
    ("nn.Sequential", "super().__init__(Tagged(), nn.ReLU())", "", "y = self.layers(x)", "operator-mismatch"),
    ("nn.Sequential", "super().__init__(*[nn.ReLU() for _ in range(n)])", "", CALL, "no-tensor-member"),
    ("nn.Sequential", "super().__init__(nn.ReLU(), nn.Tanh())", "", WALK, "no-tensor-member"),
    ("nn.ModuleList", "super().__init__([nn.ReLU() for _ in range(n)])", "", WALK, "no-tensor-member"),
    (
        "nn.ModuleList",
        "super().__init__([nn.ReLU() for _ in range(n)])",
        EACH,
        "y = self.layers(x)",
        "no-tensor-member",
    ),
]


@pytest.mark.parametrize(("base", "init", "forward", "body", "kind"), CASES)
def test_modules_of_containers(base: str, init: str, forward: str, body: str, kind: str) -> None:
    agree(kind, TEXT.format(base=base, init=init, forward=forward, body=body))


# Constructors after which the container may have other modules: its result is not known.
CHANGED = [
    "super().__init__(nn.ReLU())\n        self.append(Tagged())",
    "super().__init__(nn.ReLU())\n        self.add_module('last', Tagged())",
    "super().__init__(nn.ReLU())\n        super().add_module('last', Tagged())",
    "super().__init__(nn.ReLU())\n        self.last = Tagged()",
    "super().__init__(nn.ReLU())\n        self.last = Tagged() if n > 2 else None",
    "super().__init__(nn.ReLU())\n        self[0] = Tagged()",
    "super().__init__(nn.ReLU()) if n else super().__init__(Tagged())",
]


@pytest.mark.parametrize("init", CHANGED)
def test_a_container_that_may_have_other_modules_is_not_known(init: str) -> None:
    assert not events(TEXT.format(base="nn.Sequential", init=init, forward="", body=CALL))
