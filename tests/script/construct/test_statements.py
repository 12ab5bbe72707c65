"""Tests the statements of a constructor, mostly loops: each row asks the compiler and the model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree
from tests.script.model import kinds

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
    "whether it has the attribute": "for i in range(n):\n    if not hasattr(self, 'a'):\n        {a}\n"
    "    else:\n        {b}",
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


# Constructors that make a list of three modules.
ENDS = {
    "break": "layers = []\nfor i in range(5):\n    if i == 3:\n        break\n    layers.append(nn.ReLU())",
    "continue": "layers = []\nfor i in range(4):\n    if i == 1:\n        continue\n    layers.append(nn.ReLU())",
    "break, and no else": "layers = []\nfor i in range(5):\n    if i == 3:\n        break\n"
    "    layers.append(nn.ReLU())\nelse:\n    layers = []",
    "an else": "layers = []\nfor i in range(2):\n    layers.append(nn.ReLU())\nelse:\n    layers.append(nn.ReLU())",
    "break in some constructions": "layers = []\nfor i in range(4):\n    if i == n - 1:\n        break\n"
    "    layers.append(nn.ReLU())",
    "break in a while": "layers = []\nwhile True:\n    layers.append(nn.ReLU())\n"
    "    if len(layers) == 3:\n        break",
    "either of two lists": "layers, others = [], []\nfor i in range(6):\n"
    "    (layers if i % 2 else others).append(nn.ReLU())",
}


@pytest.mark.parametrize("made", ENDS.values(), ids=ENDS)
def test_the_end_of_an_iteration(made: str) -> None:
    agree("", _text(made + ALL, "self.net[2](x)"))


@pytest.mark.parametrize("name", ["break", "continue", "break, and no else", "an else"])
def test_the_number_of_modules_is_known_if_all_tests_are(name: str) -> None:
    agree("container-range", _text(ENDS[name] + ALL, "self.net[3](x)"))


@pytest.mark.parametrize(
    "made",
    [
        "rows = []\nfor i in range(n):\n    rows.append([])\n    for j in range(2):\n"
        "        rows[-1].append(nn.ReLU())\n",
        "rows = [[] for _ in range(4)]\nfor row in rows:\n    row.append(nn.ReLU())\n    row.append(nn.ReLU())\n",
        "rows = [[], [], []]\nrows[2] += [nn.ReLU(), nn.ReLU()]\n",
    ],
)
def test_a_list_in_a_list_grows(made: str) -> None:
    agree("", _text(made + "self.net = nn.ModuleList(nn.ModuleList(row) for row in rows)", "self.net[2][1](x)"))


@pytest.mark.parametrize(
    "made",
    [
        "self.k = n if n else None\nif self.k is None:\n    self.k = 1",
        "self.k = n if n else None\nif self.k is not None:\n    self.k = n + 1\nelse:\n    self.k = 1",
        "k = n if n else None\nif k is None:\n    k = 1\nself.k = k",
        "k = n if n else None\nself.k = 1 if k is None else k",
    ],
)
def test_a_value_that_is_set_because_it_is_none_is_not_none(made: str) -> None:
    agree("", _text(made, "x * self.k"))


def test_a_parameter_that_is_of_another_type_than_annotated_has_no_known_type() -> None:
    agree("", _text("self.size = n if isinstance(n, tuple) else (n, n)", "x * self.size[1]"))


# A function of the file, and what it returns in a constructor where ``n`` is 4.
RETURNS = {
    "from a loop": ("for c in [1, 2, 3]:\n        if c == n - 2:\n            return c\n    return 5", "found(n)"),
    "from a loop, in any case": ("for c in [1, 2, 3]:\n        return c\n    return 'a'", "found(n)"),
    "from a loop, before its else": ("for c in [1, 2]:\n        return c\n    else:\n        return 'a'", "found(n)"),
    "by the iteration": ("if n == 0:\n        return 'a'\n    return 2", "[found(i) for i in range(n)][-1]"),
}


@pytest.mark.parametrize(("body", "value"), RETURNS.values(), ids=RETURNS)
def test_what_a_function_returns(body: str, value: str) -> None:
    agree("", f"\n\ndef found(n):\n    {body}\n" + _text(f"self.k = {value}", "x * self.k"))


def test_what_a_function_returns_in_some_iterations() -> None:
    function = "\n\ndef found(i):\n    if i == 0:\n        return 'a'\n    return 2\n"
    agree("", function + _text("for i in range(n):\n    self.k = found(i)", "x * self.k"))


@pytest.mark.parametrize(
    ("first", "doubled"),
    [
        ("'ab'", "s = s + s"),
        ("'ab'", "s = f'{s}{s}'"),
        ("'ab'", "s = s.replace('a', s)"),
        ("3", "s = s * s"),
        ("[1]", "s = s + s"),
        ("[1]", "s += s"),
        ("[1]", "s = [*s, *s]"),
        ("[1]", "s.extend(s)"),
        ("(1,)", "s = s + s"),
        ("nn.ModuleList([nn.ReLU()])", "s.extend(s)"),
        ("nn.ModuleList([nn.ReLU()])", "s += s"),
    ],
)
def test_a_value_that_doubles_in_a_loop_does_not_fill_the_memory(first: str, doubled: str) -> None:
    made = f"s = {first}\nfor i in range(60):\n    {doubled}\nself.s = s\nself.net = nn.ReLU()"
    assert kinds(_text(made, "self.net(x)")) == []


REMAINDERS = "if n % 3 == 0:\n    self.k = 1\nif n % 3 == 1:\n    self.k = 2"


def test_a_value_for_each_remainder_is_always_set() -> None:
    agree("", _text(f"{REMAINDERS}\nif n % 3 == 2:\n    self.k = 3", "x * self.k"))


@pytest.mark.parametrize("more", ["", "\nif n % 3 == 3:\n    self.k = 3", "\nif n % 2 == 0:\n    self.k = 3"])
def test_a_value_for_some_remainders_may_be_missing(more: str) -> None:
    assert kinds(_text(REMAINDERS + more, "x * self.k")) == ["missing-attribute?"]
