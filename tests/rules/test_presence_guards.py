"""Tests assertions for attributes that only some constructions have: the code compiles, and raises in the
same cases.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.fixes.promise import check_promise, fixed
from tests.rules.driver import findings
from tslint.cli import cli

MISSING = """
class Net(nn.Module):
    def __init__(self, size=0):
        super().__init__()
        self.rate = size
        self.always = nn.Linear(3, 3)
        if size > 1:
            self.one = nn.Linear(3, 3)
            self.two = nn.Linear(3, 3)

    def forward(self, x, y, go: bool):
"""
NONE = """
class Net(nn.Module):
    def __init__(self, size=0):
        super().__init__()
        self.rate = size
        self.one = nn.Linear(3, 3) if size > 1 else None
        self.two = nn.Linear(3, 3) if size > 1 else None

    def forward(self, x, y, go: bool):
"""
NO_ONE = ["self.one = None", "assert self.one is not None"]
ONE_IS_NONE = ["assert self.one is not None"]

# The beginning of the class, the rest of `forward`, and the lines that the fixes add.
CASES: dict[str, tuple[str, list[str], list[str]]] = {
    "a missing one under a test": (
        MISSING,
        ["if self.rate > 0:", "    x = self.one(x)", "return x"],
        NO_ONE,
    ),
    "two that are set together": (
        MISSING,
        ["if go:", "    x = self.one(x)", "    y = self.two(y)", "return x, y"],
        NO_ONE,
    ),
    "behind a return": (
        MISSING,
        ["if not go:", "    return x", "return self.one(x)"],
        NO_ONE,
    ),
    "behind something else": (
        MISSING,
        ["if go:", "    x = x * self.one.weight", "return x"],
        NO_ONE,
    ),
    "first, and again behind something else": (
        MISSING,
        ["if go:", "    x = self.one(x.abs()) + x", "    x = x * 2 + self.one(x)", "return x"],
        NO_ONE,
    ),
    "two behind something else": (
        MISSING,
        ["if go:", "    x = x * 2 + self.one(x)", "    y = y + self.two(y)", "return x, y"],
        NO_ONE,
    ),
    "behind another module": (
        MISSING,
        ["if go:", "    x = torch.cat([self.always(x), self.one(x)])", "return x"],
        NO_ONE,
    ),
    "behind what would be done before": (
        MISSING,
        ["if go:", "    x = x.mul_(2) + self.one(x)", "return x"],
        [],
    ),
    "behind computations without effects": (
        MISSING,
        ["if go:", "    x = torch.sqrt(x.abs()) + x.size(0) * self.one(x)", "return x"],
        NO_ONE,
    ),
    "no call does without it": (MISSING, ["x = x + 1", "return self.one(x)"], []),
    "no call does without another": (MISSING, ["x = self.two(x)", "if go:", "    x = self.one(x)", "return x"], []),
    "in a block that is always run": (MISSING, ["with torch.no_grad():", "    x = self.one(x)", "return x"], []),
    "behind a test of something that decides about it": (
        MISSING.replace("self.rate = size", "self.rate = None if size == 0 else size"),
        ["if self.rate is not None:", "    x = self.one(x)", "return x"],
        [],
    ),
    "in both branches": (
        MISSING,
        ["if go:", "    x = self.one(x)", "else:", "    x = self.one(y)", "return x"],
        [],
    ),
    "None under a test": (NONE, ["if self.rate > 0:", "    x = self.one(x)", "return x"], ONE_IS_NONE),
    "None, and another value of the same test": (
        NONE,
        ["if go:", "    x = self.one(x)", "    y = self.two(y)", "return x, y"],
        ONE_IS_NONE,
    ),
    "None, and something else may be raised first": (
        NONE,
        ["if go:", "    x = self.one(x + 1)", "    y = self.two(y + 1)", "return x, y"],
        ONE_IS_NONE,
    ),
    "None in any case": (NONE, ["return self.one(x)"], []),
}


@pytest.mark.parametrize("name", CASES)
def test_each_construction_compiles_and_raises_what_it_did(name: str) -> None:
    head, lines, added = CASES[name]
    before = head.lstrip("\n") + "".join(f"        {line}\n" for line in lines)
    after = check_promise(
        before,
        constructions=("Net(0)", "Net(1)", "Net(2)"),
        inputs=("(torch.ones(2, 3), torch.ones(2, 3), True)", "(torch.ones(2, 3), torch.ones(2, 3), False)"),
    )
    old = before.partition("class Net")[2].splitlines()
    assert [line.strip() for line in after.splitlines() if line not in old] == added


def test_the_first_use_is_guarded_first() -> None:
    text = "import torch\nfrom torch import nn\n" + MISSING
    text = text.replace("    def forward", "    def inner(self, y):\n        return self.two(y)\n\n    def forward")
    text += "        if go:\n            x = self.one(x)\n            y = self.inner(y)\n        return x, y\n"
    _, outcome = fixed(text)
    assert outcome.applied[0].finding.message.partition(" set ")[2].startswith("`self.one`")


@pytest.mark.parametrize(("bases", "guarded"), [("dict", True), ("nn.Module", False)])
def test_another_class_may_compute_attributes(bases: str, guarded: bool) -> None:
    """If the module's own class does, the attribute may exist where no constructor sets it."""
    other = f"class Other({bases}):\n    def __getattr__(self, name):\n        return self[name]\n\n\n"
    net = MISSING if guarded else MISSING.replace("nn.Module", "Other")
    lines = "        if go:\n            x = self.one(x)\n        return x\n"
    text, _ = fixed(f"import torch\nfrom torch import nn\n\n\n{other}{net}{lines}")
    assert ('assert hasattr(self, "one")' in text) is guarded


def test_only_an_unsafe_fix_changes_the_exception() -> None:
    text = (
        "import torch\nfrom torch import nn\n"
        + MISSING
        + "        if go:\n            x = self.one(x)\n        return x\n"
    )
    _, outcome = fixed(text, unsafe=False)
    assert not outcome.applied


def test_a_test_of_three_parts_may_contain_the_guard() -> None:
    """The compiler leaves the branch out if there is no layer, so that there is nothing to report."""
    lines = ["if self.one is not None and go and self.rate > 0:", "    x = self.one(x)", "return x"]
    text = "import torch\nfrom torch import nn\n" + NONE + "".join(f"        {line}\n" for line in lines)
    assert [each.code for each in findings(text) if each.code != "TS508"] == []


# What the class also contains, and whether its constructor may set the attribute to None.
BESIDE = {
    "nothing": ("", True),
    "a use that raises for None": ("    def size(self):\n        return self.one.weight.shape\n", True),
    "arithmetic": ("    def twice(self, x):\n        x += self.one\n        return x + self.one * 2\n", True),
    "a formatted string": ("    def show(self):\n        return '%s' % self.one\n", False),
    "a test of its presence": ('    def has(self):\n        return hasattr(self, "one")\n', False),
    "a test of any presence": ("    def has(self, name):\n        return hasattr(self, name)\n", False),
    "a test of the presence of others": ("    def has(self, i):\n        return hasattr(self, f'two{i}')\n", True),
    "a test of the presence of some": ("    def has(self, i):\n        return hasattr(self, f'on{i}')\n", False),
    "a test in another class": (
        "\n\nclass Other(nn.Module):\n    def has(self, name):\n        return hasattr(self, name), self.__dict__\n",
        True,
    ),
    "a module that is added to another": (
        "    def more(self, names):\n        part = nn.Sequential()\n        for name in names:\n"
        "            part.add_module(name, nn.ReLU())\n        return part\n",
        True,
    ),
    "a module that is added to anything": (
        "    def more(self, names, part):\n        for name in names:\n"
        "            part.add_module(name, nn.ReLU())\n        return part\n",
        False,
    ),
    "the name as an option": ("    def is_kind(self, kind):\n        return kind == 'one'\n", True),
    "the name as an argument": ("    def named(self, find):\n        return find(self, 'one')\n", False),
    "a list of all attributes": ("    def all(self):\n        return sorted(vars(self))\n", False),
    "a use that would return None": ("    def get(self):\n        return self.one\n", False),
    "an exception that is handled": (
        "    def get(self):\n        try:\n            return self.one.weight\n"
        "        except AttributeError:\n            return 0\n",
        False,
    ),
    "a method of a subclass": ("\n\nclass Sub(Net):\n    def one(self, x):\n        return x\n", False),
    "a store elsewhere": ("    def more(self):\n        self.one = nn.Linear(3, 3)\n", False),
}


@pytest.mark.parametrize("name", BESIDE)
def test_none_is_set_only_if_nobody_sees_it(name: str) -> None:
    beside, is_set = BESIDE[name]
    lines = "        if go:\n            x = self.one(x)\n        return x\n\n"
    text, _ = fixed(f"import torch\nfrom torch import nn\n{MISSING}{lines}{beside}")
    assert ("self.one = None" in text) is is_set


# What another file contains, and whether the constructor may set a public attribute to None.
ELSEWHERE = {
    "nothing": ("", True),
    "a use that raises for None": ("def size(net):\n    return net.one.weight.shape\n", True),
    "a use that would return None": ("def get(net):\n    return net.one\n", False),
    "a test of its presence": ('def has(net):\n    return hasattr(net, "one")\n', False),
    "a test of any presence": ("def has(net, name):\n    return getattr(net, name, None)\n", False),
    "a function of a module by name": ("import math\ndef of(name):\n    return getattr(math, name)\n", True),
    "a list of all attributes": ("def all(net):\n    return sorted(net.__dict__)\n", False),
    "another class with the name": (
        "from torch import nn\nclass Other(nn.Module):\n    def one(self):\n        return hasattr(self, 'one')\n",
        True,
    ),
    "a subclass with the name": ("from net import Net\nclass Sub(Net):\n    def one(self):\n        return 1\n", False),
    "a test in a subclass": (
        "from net import Net\nclass Sub(Net):\n    def has(self):\n        return hasattr(self, 'one')\n",
        False,
    ),
}


@pytest.mark.parametrize("name", ELSEWHERE)
@pytest.mark.parametrize("attribute", ["one", "_one"])
def test_no_other_file_sees_the_none(tmp_path: Path, name: str, attribute: str) -> None:
    beside, is_set = ELSEWHERE[name]
    lines = "        if go:\n            x = self.one(x)\n        return x\n"
    text = f"import torch\nfrom torch import nn\n{MISSING}{lines}".replace("self.one", f"self.{attribute}")
    (tmp_path / "net.py").write_text(text)
    (tmp_path / "other.py").write_text(beside)
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(tmp_path)])
    after = (tmp_path / "net.py").read_text()
    assert (f"self.{attribute} = None" in after) is (is_set or attribute == "_one")


def test_a_registered_buffer_gets_no_none_before() -> None:
    """Python could no longer register it."""
    text = MISSING.replace("self.one = nn.Linear(3, 3)", 'self.register_buffer("one", torch.ones(3))')
    lines = "        if go:\n            x = x * self.one[0]\n        return x\n"
    after, _ = fixed(f"import torch\nfrom torch import nn\n{text}{lines}")
    assert "self.one = None" not in after
