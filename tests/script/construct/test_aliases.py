"""Tests constructors that change a list through another name of it: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        layers = []
        self.kept = layers
{body}
        self.net = nn.ModuleList({stored})
        self.kept = 0

    def _fill(self, into):
        into.append(nn.ReLU())

    def _more(self):
        self.kept += [nn.ReLU()]

    def forward(self, x: Tensor):
        return self.net[{index}](x)


def fill(into):
    into.append(nn.ReLU())


scripted = torch.jit.script(Net())
"""
# What the constructor does to its list, which has one module after that.
BODIES = {
    "by its name": "layers.append(nn.ReLU())",
    "by another variable": "more = layers\nmore.append(nn.ReLU())",
    "by the attribute": "self.kept.append(nn.ReLU())",
    "+= in place": "more = layers\nmore += [nn.ReLU()]",
    "in a function": "fill(layers)",
    "in a method": "self._fill(layers)",
    "in a method, by the attribute": "self._more()",
    "by a bound method": "add = layers.append\nadd(nn.ReLU())",
    "in a nested function": "def add(layer):\n    layers.append(layer)\nadd(nn.ReLU())",
    "in a lambda": "add = lambda layer: layers.append(layer)\nadd(nn.ReLU())",
}
UNSURE = ("by a bound method", "in a nested function", "in a lambda")


@pytest.mark.parametrize("name", BODIES)
def test_a_list_has_the_items_that_another_name_adds(name: str) -> None:
    body = "\n".join("        " + line for line in BODIES[name].split("\n"))
    agree("", TEXT.format(body=body, stored="layers", index=0))
    if name not in UNSURE:
        agree("container-range", TEXT.format(body=body, stored="layers", index=1))


UNKNOWN = """
class Net(nn.Module):
    def __init__(self, gate: bool = False):
        super().__init__()
        self.gate = gate
        if gate:
            self.norm = globals()['nn'].Linear(3, 3)
        self.other = globals()['nn'].Sequential(globals()['nn'].Linear(3, 3))

    def forward(self, x: Tensor):
        if self.gate:
            x = self.norm(x)
        return x


scripted = torch.jit.script(Net())
"""


def test_a_call_does_not_change_what_is_not_known() -> None:
    agree("missing-attribute", UNKNOWN)


# Changes of another list.
COPIES = {
    "a copy": "more = list(layers)\nmore.append(nn.ReLU())",
    "a new list": "more = layers + []\nmore.append(nn.ReLU())",
}


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_is_another_list(name: str) -> None:
    body = "\n".join("        " + line for line in COPIES[name].split("\n"))
    agree("container-range", TEXT.format(body=body, stored="layers", index=0))


def test_a_nested_function_fills_a_container_of_the_instance() -> None:
    add = "def add(layer):\n            self.net.append(layer)\n\n        add(nn.ReLU())\n        self.last = 0"
    text = TEXT.format(body="", stored="", index=0).replace("self.kept = 0", add)
    agree("", text)
