"""Tests parameters of constructors that must be ints, and arithmetic with them, against the compiler."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, kinds

TEXT = """
def view(x, n):
    return x.view(-1, n)


class Net(nn.Module):
    def __init__(self, {parameter}):
        super().__init__()
        {body}

    def forward(self, x):
        return view(x, self.n)


scripted = torch.jit.script(Net(4))
"""
CASES = {
    "in_features": ("n", "self.n = n\n        self.fc = nn.Linear(n, 3)", "call-mismatch"),
    "in a Sequential": ("n", "self.n = n\n        self.fc = nn.Sequential(nn.Conv2d(n, 3, 1))", "call-mismatch"),
    "by name": ("n", "self.n = n\n        self.fc = nn.Linear(3, out_features=n)", "call-mismatch"),
    "in a ModuleList": ("n", "self.n = n\n        self.fc = nn.ModuleList([nn.BatchNorm1d(n)])", "call-mismatch"),
    "half of it": ("n", "self.n = n // 2\n        self.fc = nn.Linear(n, 3)", "call-mismatch"),
    "in a computed size": ("n", "self.n = n\n        self.fc = nn.Linear(n // 2 * 2, 3)", "call-mismatch"),
    "a number that a type test shows": ("n", "self.n = n * 2 if isinstance(n, int) else n", "call-mismatch?"),
    "in both branches": (
        "n",
        "self.n = n\n        if n > 3:\n            self.fc = nn.Linear(n, 3)\n        else:\n"
        "            self.fc = nn.Linear(3, n)",
        "call-mismatch",
    ),
    "half of an annotated one": ("n: int", "self.n = n // 2 + 1", "call-mismatch"),
    "a part of a default": ("n=4", "self.n = n * 2", "call-mismatch?"),
    "a float": ("n: int", "self.n = n / 2", "call-mismatch"),
}
OPEN = {
    "under a condition": ("n", "self.n = n\n        if n:\n            self.fc = nn.Linear(n, 3)"),
    "rebound": ("n", "self.n = n\n        n = int(n)\n        self.fc = nn.Linear(n, 3)"),
    "of a parameter that is not required": ("n", "self.n = n\n        self.fc = nn.Softmax(n)"),
    "another size": ("n", "self.n = n\n        self.fc = nn.LayerNorm(n)"),
    "a layer that is not kept": ("n", "self.n = n\n        nn.Linear(n, 3)"),
    "nothing": ("n", "self.n = n"),
    "of something unknown": ("n", "self.n = n * 2"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_size_is_an_int(name: str) -> None:
    parameter, body, kind = CASES[name]
    text = TEXT.format(parameter=parameter, body=body)
    assert not the_compiler()(HEAD + text).ok
    assert kinds(text) == [kind]


def test_a_size_that_the_constructor_of_the_base_takes() -> None:
    base = "class Base(nn.Module):\n    def __init__(self, k):\n        super().__init__()\n"
    base += "        self.w = nn.Parameter(torch.ones(k, 3))\n\n\nclass Net("
    text = TEXT.format(parameter="n", body="self.n = n").replace("super().__init__()", "super().__init__(n)")
    text = text.replace("class Net(nn.Module", base + "Base")
    assert not the_compiler()(HEAD + text).ok
    assert kinds(text) == ["call-mismatch"]


@pytest.mark.parametrize("name", OPEN)
def test_what_may_be_a_tensor_is_not_known(name: str) -> None:
    parameter, body = OPEN[name]
    assert kinds(TEXT.format(parameter=parameter, body=body).replace("Net(4)", "Net(given())")) == []


@pytest.mark.parametrize("layer", ["nn.Linear(n, 4)", "nn.Embedding(n, 4)", "nn.GroupNorm(n, 4)", "nn.PReLU(n)"])
def test_a_tensor_is_no_size(layer: str) -> None:
    text = TEXT.format(parameter="n", body=f"self.n = n\n        self.fc = {layer}")
    assert not the_compiler()(HEAD + text.replace("Net(4)", "Net(torch.tensor(2))")).ok
