"""Tests loops of a constructor whose number of iterations is not known: each row asks the compiler and the model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """

class Net(nn.Module):
    def __init__(self, n: int = 4):
        super().__init__()
{made}

    def forward(self, x: Tensor):
        return {result}


def grown(n: int):
    out = []
    for i in range(n):
        out = out + [nn.ReLU()]
    return out


def grow(into):
    into += [nn.ReLU()]


scripted = torch.jit.script(Net())
"""
FOUR = "for i in range(n):\n    "
ALL = "\nself.net = nn.Sequential(*layers)"
LIST = f"layers = []\n{FOUR}{{0}}{ALL}"
# What adds four modules to a list in a loop.
GROWTH = {
    "+=": LIST.format("layers += [nn.ReLU()]"),
    "a sum": LIST.format("layers = layers + [nn.ReLU()]"),
    "a sum with more": LIST.format("layers = layers + [nn.ReLU()] + [nn.ReLU()]"),
    "a display": LIST.format("layers = [*layers, nn.ReLU()]"),
    "append": LIST.format("layers.append(nn.ReLU())"),
    "insert": LIST.format("layers.insert(0, nn.ReLU())"),
    "in a function": "self.net = nn.Sequential(*grown(n))",
    "in a function, in place": LIST.format("grow(layers)"),
    "a tuple": f"layers = (nn.ReLU(),)\n{FOUR}layers += (nn.ReLU(),){ALL}",
    "twice as long": f"layers = [nn.ReLU()]\n{FOUR}layers *= 2{ALL}",
    "a container": f"net = nn.Sequential()\n{FOUR}net = nn.Sequential(*net, nn.ReLU())\nself.net = net",
    "an attribute": "self.net = nn.ModuleList()\nfor i in range(n):\n    self.net += [nn.ReLU()]",
    "while": f"layers = []\nwhile len(layers) < n:\n    layers += [nn.ReLU()]{ALL}",
}


def _text(made: str, result: str) -> str:
    return TEXT.format(made="\n".join(" " * 8 + row for row in made.split("\n")), result=result)


@pytest.mark.parametrize("made", GROWTH.values(), ids=GROWTH)
def test_the_number_of_modules_is_not_known(made: str) -> None:
    agree("", _text(made, "self.net[3](x)"))


# Constructors that set both attributes, each in other iterations.
TESTS = {
    "the loop's variable": "for i in range(n):\n    if i == 0:\n        {a}\n    else:\n        {b}",
    "a variable that the loop sets": "first = True\nfor i in range(n):\n    if first:\n        {a}\n"
    "        first = False\n    else:\n        {b}",
    "an attribute that the loop sets": "self.a = None\nfor i in range(n):\n    if self.a is None:\n        {a}\n"
    "    else:\n        {b}",
    "a counter": "k = 0\nwhile k < n:\n    k += 1\n    if k == 2:\n        {a}\n    elif k == 3:\n        {b}",
    "the value of the iteration before": "last = None\nfor i in range(n):\n    if last is not None:\n        {a}\n"
    "        {b}\n    last = i",
    "an assertion in one of them": "for i in range(n):\n    if i == 0:\n        {a}\n    else:\n        assert n > 1\n"
    "        {b}",
}


@pytest.mark.parametrize("made", TESTS.values(), ids=TESTS)
def test_one_construction_runs_both_branches_of_a_test_that_depends_on_the_iteration(made: str) -> None:
    agree("", _text(made.format(a="self.a = nn.ReLU()", b="self.b = nn.ReLU()"), "self.b(self.a(x))"))


def test_an_attribute_that_no_iteration_sets_is_reported() -> None:
    made = "for i in range(n):\n    if i == 0:\n        self.a = nn.ReLU()"
    agree("missing-attribute", _text(made, "self.b(self.a(x))"))


def test_the_first_module_of_a_list_that_grows_is_known() -> None:
    made = f"layers = [torch.nn.utils.spectral_norm(nn.Linear(3, 3))]\n{FOUR}layers += [nn.ReLU()]{ALL}"
    agree("weight-norm", _text(made, "self.net(x)"))
