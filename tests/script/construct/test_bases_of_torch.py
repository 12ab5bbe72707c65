"""Tests classes that derive from a layer or a container of torch: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree
from tests.script.model import kinds

HELD = """
from collections import OrderedDict


def check(parts):
    for part in parts:
        if getattr(part, "mode", "a") != "a":
            raise ValueError(type(part))


class Held(nn.{base}):
    def __init__(self, *parts):
        super().__init__({given})
        {then}

    def set_gain(self, gain: float):
        self.gain = gain

    def forward(self, x: Tensor):
        return {result}


scripted = torch.jit.script(Held(nn.ReLU(), nn.Tanh()))
"""
ORDERED = "OrderedDict([('first', nn.ReLU()), ('last', nn.Tanh())])"
# The base, the arguments of its constructor, what follows, the result of `forward`, and the event.
CONTAINERS = {
    "no attribute of a Sequential": (
        "Sequential",
        "nn.ReLU(), nn.Tanh()",
        "pass",
        "x * self.scale",
        "missing-attribute",
    ),
    "no attribute of a ModuleList": ("ModuleList", "parts", "pass", "x * self.scale", "missing-attribute"),
    "passed to a function that reads it": (
        "Sequential",
        "nn.ReLU()",
        "check(self)",
        "x * self.scale",
        "missing-attribute",
    ),
    "an attribute": ("Sequential", "nn.ReLU()", "self.scale = 2.0", "x * self.scale", ""),
    "an item": ("Sequential", "nn.ReLU(), nn.Tanh()", "pass", "self[0](x)", ""),
    "a loop over the items": ("ModuleList", "parts", "pass", "[part(x) for part in self]", ""),
    "a named item": ("Sequential", ORDERED, "pass", "self.first(x)", ""),
    "an item that is added": ("Sequential", "", "self.add_module('first', nn.ReLU())", "self.first(x)", ""),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_container_has_only_its_items_and_what_is_set(name: str) -> None:
    base, given, then, result, kind = CONTAINERS[name]
    agree(kind, HELD.format(base=base, given=given, then=then, result=result))


@pytest.mark.parametrize(
    ("given", "result", "expected"),
    [
        ("*parts", "self.first(x)", []),
        ("parts[0]", "self.first(x)", []),
        ("OrderedDict([(str(part), part) for part in parts])", "self.first(x)", []),
        ("*parts", "x * self.gain", ["missing-attribute"]),
    ],
)
def test_an_item_may_have_any_name_if_the_items_are_unknown(given: str, result: str, expected: list[str]) -> None:
    assert kinds(HELD.format(base="Sequential", given=given, then="pass", result=result)) == expected


LAYER = """
class Layer(nn.{base}):
    {body}


class Other(Layer):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = {made}

    def forward(self, x: Tensor):
        return self.layer(x)


scripted = torch.jit.script(Net())
"""
INIT = "def __init__(self, {}):\n        {}"
FIXED = INIT.format("inplace=False", "super().__init__(0, 20.0, inplace)")
# The base, the body of the class, the object that is made, and the event.
LAYERS = {
    "an int for a float": ("Hardtanh", FIXED, "Layer()", "module-argument"),
    "by name": ("Dropout", INIT.format("p", "super(Layer, self).__init__(p=1)"), "Layer(0.5)", "module-argument"),
    "of a base of the base": ("Hardtanh", FIXED, "Other()", "module-argument"),
    "through the constructor": ("Dropout", INIT.format("p", "super().__init__(p)"), "Layer(0)", "module-argument"),
    "a float": ("Hardtanh", INIT.format("top", "super().__init__(0.0, top)"), "Layer(2.0)", ""),
    "a float through the constructor": ("Dropout", INIT.format("p", "super().__init__(p)"), "Layer(0.5)", ""),
    "the attribute is set again": ("Hardtanh", f"{FIXED}\n        self.min_val = 0.0", "Layer()", ""),
    "another forward": ("Hardtanh", f"{FIXED}\n\n    def forward(self, x: Tensor):\n        return x", "Layer()", ""),
}


@pytest.mark.parametrize("name", LAYERS)
def test_the_arguments_of_a_base_are_those_of_the_layer(name: str) -> None:
    base, body, made, kind = LAYERS[name]
    agree(kind, LAYER.format(base=base, body=body, made=made))
