"""Tests loops over ``list(self.layers)``: modules in a list cannot be called, so the loop goes over the container."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise
from tests.script.agreement import agree

TEXT = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layers = {layers}

    def forward(self, x: Tensor) -> Tensor:
        for {target} in {walk}:
            x = layer(x)
            {more}
        return x
"""
ALIKE = "nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])"
MIXED = "nn.Sequential(nn.Linear(3, 3), nn.ReLU())"


@pytest.mark.parametrize(
    ("layers", "target", "walk", "after"),
    [
        (ALIKE, "layer", "list(self.layers)", "for layer in self.layers:"),
        (MIXED, "layer", "list(self.layers)", "for layer in self.layers:"),
        (ALIKE, "i, layer", "enumerate(list(self.layers))", "for i, layer in enumerate(self.layers):"),
    ],
)
def test_a_loop_over_a_copy_becomes_a_loop_over_the_container(layers: str, target: str, walk: str, after: str) -> None:
    assert after in check_promise(TEXT.format(layers=layers, target=target, walk=walk, more="x = x + 1"))


@pytest.mark.parametrize(
    "more",
    [
        "self.layers.append(layer)",
        "(lambda: self.layers)().append(layer)",
        "layers = self.layers\n            layers.append(layer)",
        "_ = [each.append(layer) for each in [self.layers]]",
    ],
)
def test_the_copy_stays_if_the_loop_changes_the_container(more: str) -> None:
    text = TEXT.format(layers=ALIKE, target="layer", walk="list(self.layers)", more=more)
    assert "in list(self.layers):" in check_promise(text)


@pytest.mark.parametrize(
    ("event", "layers", "walk"),
    [
        ("module-value-called", ALIKE, "list(self.layers)"),
        ("module-value-called", ALIKE, "list(self.layers.children())"),
        ("literal-elements", MIXED, "list(self.layers)"),
        ("", ALIKE, "self.layers.children()"),
    ],
)
def test_the_compiler_and_the_model_agree(event: str, layers: str, walk: str) -> None:
    text = TEXT.format(layers=layers, target="layer", walk=walk, more="x = x + 1")
    agree(event, f"{text}\n\nscripted = torch.jit.script(Net())\n")
