"""Tests arguments that a class of the project passes on to a class of torch.nn: each row asks the compiler and the
static model.
"""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.agreement import agree
from tests.script.model import HEAD, kinds

TEXT = """
class Block(nn.Module):
    def __init__(self, n, p):
        super().__init__()
        {block}

    def forward(self, x: Tensor) -> Tensor:
        return x


class Outer(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.block = Block(4, p)

    def forward(self, x: Tensor) -> Tensor:
        return self.block(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {net}

    def forward(self, x: Tensor) -> Tensor:
        return x


scripted = torch.jit.script(Net())
"""
DROP = "self.drop = nn.Dropout(p)"
LISTED = "layers = [nn.Linear(n, n)]\n        layers += [nn.Dropout(p)]\n        self.drop = nn.Sequential(*layers)"
GROWN = "layers = []\n        if n > 3:\n            layers.append(nn.ReLU())\n        layers.append(nn.Dropout(p))"
GROWN += "\n        self.layers = nn.Sequential(*layers)"
PERHAPS = "layers = [nn.ReLU()]\n        if n > 9:\n            layers.append(nn.Tanh())\n            layers.append({})"
PERHAPS += "\n        self.layers = nn.Sequential(*layers)"
REFUSED = {
    "an int for a float": (DROP, "self.block = Block(4, 0)"),
    "by name": (DROP, "self.block = Block(n=4, p=1)"),
    "None": ("self.act = nn.LeakyReLU(p)", "self.block = Block(4, None)"),
    "in a list of layers": (LISTED, "self.block = Block(4, 0)"),
    "in a list that grows in a branch before": (GROWN, "self.block = Block(4, 0)"),
    "in a container": (DROP, "self.blocks = nn.ModuleList([Block(4, 0) for _ in range(2)])"),
    "through two classes": (DROP, "self.outer = Outer(0)"),
    "in a branch that runs": (f"if p >= 0:\n            {DROP}", "self.block = Block(4, 0)"),
    "a default of the class": (DROP, "self.block = Block(p=0, n=4)"),
}
ACCEPTED = {
    "a float": (DROP, "self.block = Block(4, 0.5)"),
    "in a branch that does not run": (f"if p > 0:\n            {DROP}", "self.block = Block(4, 0)"),
    "for a true value": ("self.drop = nn.Dropout(p) if p else None", "self.block = Block(4, 0)"),
    "not None": (f"if p is not None:\n            {DROP}", "self.block = Block(4, None)"),
    "made a float": ("self.drop = nn.Dropout(float(p))", "self.block = Block(4, 0)"),
    "rebound": (f"p = float(p)\n        {DROP}", "self.block = Block(4, 0)"),
    "a size": ("self.fc = nn.Linear(n, p)", "self.block = Block(4, 2)"),
    "replaced": (DROP, "self.block = Block(4, 0)\n        self.block.drop = nn.Identity()"),
    "changed": (DROP, "self.block = Block(4, 0)\n        self.block.drop.p = 0.5"),
    "set in a loop": (
        DROP,
        "self.block = Block(4, 0)\n        for each in self.modules():\n            setattr(each, 'p', 0.5)",
    ),
    "of the module itself, changed": ("pass", "self.drop = nn.Dropout(0)\n        self.drop.p = 0.5"),
    "in a list that does not grow": (PERHAPS.format("nn.Dropout(p)"), "self.block = Block(4, 0)"),
    "not stored": ("drop = nn.Dropout(p)", "self.block = Block(4, 0)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_call_names_the_argument(name: str) -> None:
    block, net = REFUSED[name]
    agree("module-argument", TEXT.format(block=block, net=net))


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_compiles_is_no_mistake(name: str) -> None:
    block, net = ACCEPTED[name]
    agree("", TEXT.format(block=block, net=net))


def test_a_size_is_an_int_for_each_layer() -> None:
    block = "self.layers = nn.Sequential(nn.Conv2d(n, p, 1), nn.BatchNorm2d(p, p))"
    agree("module-argument", TEXT.format(block=block, net="self.block = Block(4, 2)"))


def test_a_layer_that_a_branch_appends_depends_on_it() -> None:
    text = TEXT.format(block=PERHAPS.format("nn.Dropout(0)"), net="self.block = Block(4, 0.5)")
    assert the_compiler()(HEAD + text).ok
    assert kinds(text) == ["module-argument?"]
