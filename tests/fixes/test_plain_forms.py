"""Tests that fixes write what a maintainer would write: one form for Python and compiled code, if one is enough."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise

MADE = """
def made(count):
    return nn.ModuleList([nn.Linear(2, 2) for _ in range(count)])


class Net(nn.Module):
    def __init__(self, turns: int = 2, first: int = 2, second: int = 2):
        super().__init__()
        torch.manual_seed(0)
        self.turns = turns
        self.first = made(first)
        self.second = made(second)

    def forward(self, x: Tensor):
"""
LISTS = ["Net()", "Net(1, 2, 3)", "Net(3, 3, 2)", "Net(3, 2, 3)", "Net(0, 1, 1)", "Net(2, 0, 0)", "Net(0, 0, 0)"]
WALKS = {
    "two lists that may not be as long as each other": (
        "for i in range(self.turns):\n    x = self.first[i](self.second[i](x))\nreturn x",
        ["in enumerate(zip(self.first, self.second)):", "if self.turns > len(self.second):"],
    ),
    "as many turns as the second has modules": (
        "for i in range(len(self.second)):\n    x = self.first[i](self.second[i](x))\nreturn x",
        ["in zip(self.first, self.second):", "if len(self.second) > len(self.first):"],
    ),
    "one of them in some turns": (
        "for i in range(self.turns):\n    x = self.first[i](x)\n    if i < 1:\n        x = self.second[i](x)\nreturn x",
        ["for i, first in enumerate(self.first):", "if i >= len(self.second):"],
    ),
    "as many turns as the second, and a first in some": (
        "for i in range(len(self.second)):\n    x = self.second[i](x)\n    if i < 1:\n        x = self.first[i](x)\n"
        "return x",
        ["for i, second in enumerate(self.second):", "if i >= len(self.first):"],
    ),
    "a comprehension": (
        "return [self.first[i](self.second[i](x)) for i in range(self.turns)]",
        ["in enumerate(zip(self.first, self.second)):", "values.append(first(second(x)))"],
    ),
    "the module itself": (
        "for i, one in enumerate(self.first):\n    x = self.first[i](x) * (i + 1)\nreturn x",
        ["for i, one in enumerate(self.first):\n            x = one(x) * (i + 1)"],
    ),
    "the module itself, without its index": (
        "for i, one in enumerate(self.first):\n    x = self.first[i](x)\nreturn x",
        ["for one in self.first:\n            x = one(x)"],
    ),
    "the module itself, which is bound to something else": (
        "for i, one in enumerate(self.first):\n    y = self.first[i](x)\n    one = y\n    x = one + x\nreturn x",
        ["zip(self.first, self.first)"],
    ),
    "turns that a variable counts": (
        "n = len(self.first) - 1 + self.turns\nfor i in range(n - 1):\n    x = self.second[i](x) * 2\nreturn x",
        ["for i, second in enumerate(self.second):", "if i < n - 1:", "if n - 1 > len(self.second):"],
    ),
    "turns that a turn counts anew": (
        "n = self.turns\nfor i in range(n - 1):\n    x = self.second[i](x) * 2\n    n = n + 1\nreturn x",
        ["if i >= len(self.second):"],
    ),
    "several comprehensions": (
        "xs = [x, x + 1]\na = torch.cat([self.first[i](y) for i, y in enumerate(xs)])\n"
        "b = torch.cat([self.second[i](y) for i, y in enumerate(xs)])\nreturn a, b",
        ["torch.cat([self.first[0](xs[0]), self.first[1](xs[1])])", "[self.second[0](xs[0]), self.second[1](xs[1])]"],
    ),
    "several comprehensions over items that are not known one by one": (
        "xs = [x] * self.turns\na = torch.cat([self.first[i](y) for i, y in enumerate(xs)])\n"
        "b = torch.cat([self.second[i](y) for i, y in enumerate(xs)])\nreturn a, b",
        ["for i, first in enumerate(self.first):", "for i, second in enumerate(self.second):", "y = xs[i]"],
    ),
}


@pytest.mark.parametrize("name", WALKS)
def test_walks_over_a_list_of_modules(name: str) -> None:
    body, parts = WALKS[name]
    made = MADE.replace("made(first)", "nn.ModuleList([nn.Linear(2, 2) for _ in range(first)])")
    for text in (MADE, made):
        after = check_promise(text + "".join(f"        {each}\n" for each in body.splitlines()), LISTS)
    for part in parts:
        assert part in after, after


def test_a_list_that_becomes_a_container_keeps_its_length() -> None:
    text = """
class Net(nn.Module):
    def __init__(self, count: int = 2):
        super().__init__()
        torch.manual_seed(0)
        self.count = count
        self.Stages = [nn.Linear(2, 2) for _ in range(count)]
        self.Stages = nn.Sequential(*self.Stages)

    def forward(self, x: Tensor) -> Tensor:
        for i in range(self.count):
            x = self.Stages[i](x) + i
        return x
"""
    after = check_promise(text, ["Net()", "Net(0)", "Net(3)"])
    assert "for i, stage in enumerate(self.Stages):\n            x = stage(x) + i\n" in after


@pytest.mark.parametrize(
    ("more", "written"),
    [
        ("", "bias = self.bias\n            assert bias is not None\n            b = self.cut(bias)"),
        # Another method may set it in between.
        ("    def reset(self):\n        self.bias = None\n", "b = self.cut(self.bias)"),
    ],
)
def test_a_value_tested_for_none_is_passed_unchanged(more: str, written: str) -> None:
    text = f"""
class Net(nn.Conv1d):
    def cut(self, x):
        return x.clamp(0.0, 1.0) - torch.relu(x)

{more}
    def forward(self, x: Tensor) -> Tensor:
        b = self.bias
        if self.bias is not None:
            b = self.cut(self.bias)
        return torch.conv1d(x, self.cut(self.weight), b).sum().sign()
"""
    assert written in check_promise(text, ["Net(2, 2, 1)", "Net(2, 2, 1, bias=False)"], ["(torch.rand(2, 3),)"])


def test_the_rest_of_a_shape_is_taken_by_a_slice() -> None:
    text = """
class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        a, b, *rest = x.shape
        return x.reshape(a * b, 1, *rest)
"""
    after = check_promise(text, inputs=["(torch.rand(2, 3, 4, 5),)", "(torch.rand(2, 3),)", "(torch.rand(2),)"])
    assert "a, b = x.shape[:2]\n        rest = list(x.shape[2:])\n" in after


def test_a_blank_line_above_a_moved_function_moves_with_it() -> None:
    text = """
class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:

        def twice(y):
            return y * 2
        return twice(x)
"""
    assert "-> Tensor:\n        return twice(x)" in check_promise(text).replace("self._twice", "twice")


def test_an_index_is_only_compared_if_the_other_value_is_not_none() -> None:
    text = """
class Net(nn.Module):
    def __init__(self, skipped=None):
        super().__init__()
        self.skipped = skipped
        self.layers = nn.ModuleList([nn.ReLU(), nn.Tanh()])

    def forward(self, x: Tensor) -> Tensor:
        for i, layer in enumerate(self.layers):
            if i == self.skipped:
                x = x + 1
            x = layer(x)
        return torch.spmm(x, x.t())
"""
    after = check_promise(text, ["Net()", "Net(0)", "Net(1)", "Net(5)"])
    assert "if self.skipped is not None:\n                if i == self.skipped:\n" in after
    assert "return torch.mm(x, x.t())" in after


@pytest.mark.parametrize(("kind", "plain"), [("nn.Linear(2, 2)", True), ("nn.Identity()", False)])
def test_an_argument_of_a_module_is_asserted_in_python_too(kind: str, plain: bool) -> None:
    text = f"""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.last = {kind}

    def forward(self, x: Tensor, y: Optional[Tensor] = None):
        return self.last(y)
"""
    given = ["(torch.ones(2), torch.ones(2))", "(torch.ones(2),)"]
    after = check_promise(text, inputs=given, differs=not plain)
    assert ("\n        assert y is not None\n" in after) is plain, after
