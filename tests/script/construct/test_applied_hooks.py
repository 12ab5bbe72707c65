"""Tests ``self.apply`` with a function that adds a hook to layers: the compiler and the static model agree."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, events, kinds

TEXT = """
def normed(m):
    if isinstance(m, {layer}):
        {body}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv1d(1, 1, 1), nn.ReLU())
        self.apply({function})

    def normed(self, m):
        if isinstance(m, nn.Conv1d):
            torch.nn.utils.weight_norm(m)

    def forward(self, x):
        return self.layers(x)


scripted = torch.jit.script(Net())
"""
NORM = "torch.nn.utils.weight_norm(m)"
CASES = {
    "a layer": ("nn.Conv1d", NORM, "normed", True),
    "one of several": ("(nn.Conv1d, nn.Linear)", NORM, "normed", True),
    "by a method": ("nn.Linear", "pass", "self.normed", True),
    "another norm": ("nn.Conv1d", "torch.nn.utils.spectral_norm(m)", "normed", True),
    "of another layer": ("nn.Linear", NORM, "normed", False),
    "of something else": ("nn.Conv1d", "torch.nn.init.zeros_(m.weight)", "normed", False),
    "under another test": ("nn.Conv1d", f"if len(m.kernel_size) > 1:\n            {NORM}", "normed", False),
    "taken away": ("nn.Conv1d", f"{NORM}\n        torch.nn.utils.remove_weight_norm(m)", "normed", False),
}


@pytest.mark.parametrize("name", CASES)
def test_hooks_of_applied_functions(name: str) -> None:
    layer, body, function, refused = CASES[name]
    text = TEXT.format(layer=layer, body=body, function=function)
    assert the_compiler()(HEAD + text).ok is not refused
    found = kinds(text)
    assert found == (["weight-norm"] if refused else []), found


UNDER_A_TEST = """
class Net(nn.Module):
    def __init__(self, sizes, normed: bool = {normed}):
        super().__init__()
        layers = [nn.Conv1d(1, 1, 1)]
        for size in sizes:
            layers.append(nn.ReLU())
        self.layers = nn.Sequential(*layers)
        if normed:
            self.norm()

    def norm(self):
        def add(m):
            if isinstance(m, {layer}):
                torch.nn.utils.weight_norm(m)

        self.apply(add)

    def forward(self, x):
        return self.layers(x)


scripted = torch.jit.script(Net([1]))
"""


@pytest.mark.parametrize("layer", ["nn.Conv1d", "nn.Linear"])
@pytest.mark.parametrize("normed", [True, False])
def test_a_function_that_is_applied_under_a_test(normed: bool, layer: str) -> None:
    text = UNDER_A_TEST.format(normed=normed, layer=layer)
    has_hook = layer == "nn.Conv1d"
    assert the_compiler()(HEAD + text).ok is not (normed and has_hook)
    found = [(event.kind, event.condition) for event in events(text)]
    assert found == ([("weight-norm", "`normed` is true")] if has_hook else [])
