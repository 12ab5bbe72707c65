"""Tests that workarounds, which only serve the compiler, are written only if the code then compiles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tslint.cli import cli

_HEAD = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 2

    def forward(self, x):
"""
_ROWS = "        a, b = x.mean(0)\n        y = a + b\n"
_GUARDED = "        a, b = x.mean(0).unbind(0) if torch.jit.is_scripting() else x.mean(0)\n        y = a + b\n"


_OUTER = """

class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def forward(self, x):
        return self.net(x).foo
"""


@pytest.mark.parametrize(
    ("rest", "written", "said"),
    [
        pytest.param("        return y\n", True, "", id="it compiles with it"),
        pytest.param(
            "        return y, {1}\n", False, "Its fix waits: {0} (TS111 at line 13)", id="something is in the way"
        ),
        pytest.param(
            "        return y.foo\n", False, "Its fix was tried and reverted: {0} (TS210)", id="something turns up"
        ),
        pytest.param("        return y\n" + _OUTER, True, "TS210", id="a caller alone does not compile"),
    ],
)
def test_a_workaround_is_written_where_it_makes_something_compile(
    tmp_path: Path, rest: str, written: bool, said: str
) -> None:
    path = tmp_path / "net.py"
    path.write_text(_HEAD + _ROWS + rest, encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert path.read_text(encoding="utf-8") == _HEAD + (_GUARDED if written else _ROWS) + rest
    assert said.format("`Net.forward` would not compile with it either") in result.stdout
    assert bool(said) is bool(result.exit_code)


_PARTS = """\
import torch
from torch import nn


def scaled(x, by=2):
    return x * by


def odd(x, by=2):
    return {{x}}, by


class Net(nn.Module):
    def __init__(self, norm=False):
        super().__init__()
        self.norm = norm
        if norm:
            self.one = nn.Linear(3, 3)

    @torch.no_grad()
    def above(self, x):
        return [y for y in x if y.sum() > 0]

    def forward(self, x):
        out = []
        out.append(2)
        if self.norm:
            x = self.one(x)
        return scaled(x, out[0]), self.above(x), {call}
"""
_DECLARED = (
    "out: List[int] = []",
    '__constants__ = ["norm"]',
    "with torch.no_grad():",
    "for y in x:\n",
    "scaled(x, by: int = 2)",
)


@pytest.mark.parametrize(
    ("call", "written"),
    [
        pytest.param("x", _DECLARED, id="it compiles"),
        pytest.param("odd(x)", _DECLARED[4:], id="what it calls does not"),
        pytest.param("{x}", _DECLARED[4:], id="it does not compile itself"),
    ],
)
def test_nothing_is_declared_in_what_does_not_compile(tmp_path: Path, call: str, written: tuple[str, ...]) -> None:
    path = tmp_path / "net.py"
    path.write_text(_PARTS.format(call=call), encoding="utf-8")
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    after = path.read_text(encoding="utf-8")
    assert tuple(each for each in _DECLARED if each in after) == written, after
    assert "def odd(x, by=2):" in after


_CONSTANT = """\
from typing import Optional, Tuple

import torch.nn as nn

LIMIT = 2


def swapped(pair):
    a, b = pair
    return b.abs(), a.abs()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gamma = 1

    def forward(self, x):
        out = +x * +LIMIT
        a, b = swapped((out, out))
        return a + b + out
"""
_OPTIONAL = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=0):
        super().__init__()
        self.size = size
        if size > 1:
            self.one = nn.Linear(3, 3)

    def forward(self, x):
        if self.size > 1:
            x = x + self.one(x)
        return {}
"""


@pytest.mark.parametrize(("value", "written"), [("x + 1", True), ("{x}", False)])
def test_an_assertion_is_a_workaround(tmp_path: Path, value: str, written: bool) -> None:
    path = tmp_path / "net.py"
    before = _OPTIONAL.format(value)
    path.write_text(before, encoding="utf-8")
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    after = path.read_text(encoding="utf-8")
    assert ("            assert self.one is not None\n" in after) is written, after
    assert written or after == before


@pytest.mark.parametrize(("value", "written"), [("x", True), ("{x}", False)])
def test_an_int_and_a_private_name_are_workarounds(tmp_path: Path, value: str, written: bool) -> None:
    path = tmp_path / "net.py"
    before = (
        "import torch\nfrom torch import Tensor, nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.__own = 2\n\n    def __twice(self, x: Tensor) -> Tensor:\n"
        "        return x * self.__own\n\n    def forward(self, x: Tensor):\n"
        f"        x = self.__twice(x.view(2 ** x.dim(), -1))\n        return {value}\n"
    )
    path.write_text(before, encoding="utf-8")
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    after = path.read_text(encoding="utf-8")
    for part in ("int(2 ** x.dim())", "self._twice(", "self._Net__own"):
        assert (part in after) is written, after


@pytest.mark.parametrize(
    ("value", "options", "written"),
    [("x", ("--unsafe-fixes",), True), ("{x}", ("--unsafe-fixes",), False), ("{x}", (), True)],
)
def test_code_that_does_not_compile_is_left_alone(
    tmp_path: Path, value: str, options: tuple[str, ...], written: bool
) -> None:
    path = tmp_path / "net.py"
    path.write_text(
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
        "        x = x.sum(axis=1).view(*x.shape[2:], 1)\n"
        f"        x = torch.nn.functional.normalize(x, p=2)\n        return {value}\n"
    )
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", *options, str(path)])
    after = path.read_text(encoding="utf-8")
    for part in ("sum(dim=1)", "p=2.0", "list(x.shape[2:])"):
        assert (part in after) is written, after


@pytest.mark.parametrize(
    ("body", "written"),
    [
        pytest.param("        if cfg.MODEL.DEEP:\n            x = -x\n", False, id="a global with options"),
        pytest.param("        if cfg.model.deep:\n            x = -x\n", True, id="it may be a module"),
        pytest.param("        if Cfg.MODEL.value:\n            x = -x\n", True, id="it may be a class"),
    ],
)
def test_what_reads_global_options_gets_no_workaround(tmp_path: Path, body: str, written: bool) -> None:
    path = tmp_path / "net.py"
    imports = "from settings import Cfg, cfg\n"
    path.write_text(imports + _HEAD + _ROWS + body + "        return y\n", encoding="utf-8")
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert ("is_scripting" in path.read_text()) is written, path.read_text()


def test_another_fix_may_only_be_possible_without_the_workaround(tmp_path: Path) -> None:
    """In one round, the constant is declared without the workaround, which is tried again afterwards."""
    path = tmp_path / "net.py"
    path.write_text(_CONSTANT, encoding="utf-8")
    command = ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)]
    first = CliRunner().invoke(cli, command)
    assert "All checks passed!" in first.output, first.output
    fixed = path.read_text(encoding="utf-8")
    assert "self.LIMIT if torch.jit.is_scripting() else operator.pos(self.LIMIT)" in fixed
    CliRunner().invoke(cli, command)
    assert path.read_text(encoding="utf-8") == fixed


_BASE = """\
import torch
from torch import nn


class Base(nn.Module):
    def forward(self, x, *rest):
        a, b = x.mean(0)
        return a + b


class Net(Base):
    def __init__(self):
        super().__init__()
        self.n = 2
"""


def test_what_is_wrong_in_an_inherited_method_keeps_workarounds_out_of_it(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text(_BASE.partition("class Net")[0], encoding="utf-8")
    (tmp_path / "net.py").write_text("from base import Base\n\n\nclass Net" + _BASE.partition("class Net")[2])
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(tmp_path)])
    assert (tmp_path / "base.py").read_text(encoding="utf-8") == _BASE.partition("class Net")[0]


@pytest.mark.parametrize("other", ["{1}", "1"])
def test_no_workaround_if_another_error_occurs_in_the_same_constructions(tmp_path: Path, other: str) -> None:
    text = (
        "import torch\nfrom torch import nn\n\n\ndef twice(x):\n    a, b = x.mean(0)\n"
        f"    c = {other}\n    return a + b\n\n\n"
        "class Net(nn.Module):\n    def __init__(self, doubled=False):\n        super().__init__()\n"
        "        self.inner = nn.Linear(2, 2) if doubled else None\n\n    def forward(self, x):\n"
        "        if self.inner is not None:\n            return twice(x)\n        return x\n"
    )
    (tmp_path / "net.py").write_text(text, encoding="utf-8")
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(tmp_path)])
    after = (tmp_path / "net.py").read_text(encoding="utf-8")
    assert (after == text) is (other == "{1}")


@pytest.mark.parametrize(
    ("holder", "read", "written"),
    [
        ("options", "self.options.size", False),
        ("options", "self.options.weight", True),
        ("options", "self.options.size()", True),
        ("options", "self.options", True),
        ("options: nn.Module", "self.options.size", True),
        ("options=2", "self.options.size", True),
    ],
)
def test_what_holds_options_does_not_compile(tmp_path: Path, holder: str, read: str, written: bool) -> None:
    """The compiler refuses objects that are no modules and no plain values; only their uses show what they are."""
    path = tmp_path / "net.py"
    head = _HEAD.replace("self):\n        super", f"self, {holder}):\n        super")
    path.write_text(head.replace("self.n = 2", "self.options = options") + _ROWS + f"        return y * {read}\n")
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert ("is_scripting" in path.read_text()) is written, path.read_text()


@pytest.mark.parametrize(
    ("record", "written"),
    [("{'kind': kind, 'weight': 1, 'name': 'x'}", False), ("{'kind': 1, 'weight': 2}", True), ("1", True)],
)
def test_a_list_of_records_does_not_compile(tmp_path: Path, record: str, written: bool) -> None:
    path = tmp_path / "net.py"
    filled = f"self.losses = []\n        for kind in kinds:\n            self.losses.append({record})"
    head = _HEAD.replace("self):\n        super", "self, kinds=(1,)):\n        super").replace("self.n = 2", filled)
    path.write_text(head + _ROWS + "        return y * len(self.losses)\n")
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert ("is_scripting" in path.read_text()) is written, path.read_text()


@pytest.mark.parametrize(
    ("called", "written"),
    [
        ("self._average()", False),
        ("if self.n > 2:\n            self._average()", True),
        ("for _ in self.inner.parameters():\n            y = y + 1", False),
        ("y = y + 1", True),
    ],
)
def test_what_lists_the_parameters_of_an_unknown_module_does_not_compile(
    tmp_path: Path, called: str, written: bool
) -> None:
    path = tmp_path / "net.py"
    head = _HEAD.replace("self):\n        super", "self, inner):\n        super")
    head = head.replace("self.n = 2", "self.n = 2\n        self.inner = inner")
    other = "\n    def _average(self):\n        for p in self.inner.parameters():\n            p.mul_(0.9)\n"
    path.write_text(f"{head}{_ROWS}        {called}\n        return y\n{other}")
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert ("is_scripting" in path.read_text()) is written, path.read_text()


_USED = """\
import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.norm, self.fn = nn.LayerNorm(3), fn

    def forward(self, x{more}):
        return self.fn(self.norm(x){more})


class Stack(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList([])
        for _ in range(depth):
            self.layers.append(nn.ModuleList([Norm(nn.Linear(3, 3)), Norm(nn.Linear(3, 3))]))

    def forward(self, x):
        for first, second in self.layers:
            x = second(first(x))
        return x
"""


@pytest.mark.parametrize(("more", "written"), [("", True), (", **kwargs", False)])
def test_what_uses_a_module_that_does_not_compile_is_left_alone(tmp_path: Path, more: str, written: bool) -> None:
    path, text = tmp_path / "net.py", _USED.format(more=more)
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert ("first = layer[0]" in path.read_text(encoding="utf-8")) is written
    assert ("`Stack` would not compile with it either (TS115)" in result.stdout) is not written
    assert written or path.read_text(encoding="utf-8") == text


_DEFAULTS = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, mask=None{more}):
        return x if mask is None else x.masked_fill(mask == 0, 0.0)
"""


@pytest.mark.parametrize(("more", "written"), [("", True), (", key=None", False)])
def test_what_cannot_be_saved_either_way_is_not_half_annotated(tmp_path: Path, more: str, written: bool) -> None:
    path, text = tmp_path / "net.py", _DEFAULTS.format(more=more)
    path.write_text(text, encoding="utf-8")
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert ("mask: Optional[Tensor] = None):" in path.read_text(encoding="utf-8")) is written
    assert written or path.read_text(encoding="utf-8") == text


_KEPT = """\
import torch
from torch import nn
from torch.autograd import Variable


class Net(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            self.grid = {first}
        {second}
        return self.grid + x
"""


def test_what_only_compiles_after_it_has_run_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    text = _KEPT.format(first="torch.zeros(3)", second="self.grid = Variable(self.grid)")
    path.write_text(text, encoding="utf-8")
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert path.read_text(encoding="utf-8") == text


def test_the_other_problem_may_be_in_another_file(tmp_path: Path) -> None:
    ops, net = tmp_path / "ops.py", tmp_path / "net.py"
    ops.write_text("def pooled(x):\n    try:\n        return x.mean(0)\n    finally:\n        print(x)\n")
    net.write_text(
        "from torch import nn\nfrom ops import pooled\n\nSCALE = 0.5\n\n\nclass Net(nn.Module):\n"
        "    def forward(self, x):\n        return pooled(x) * SCALE\n"
    )
    check = ["check", "--isolated", "--no-cache", str(tmp_path)]
    for options in ([], ["--fix", "--unsafe-fixes"]):
        shown = CliRunner().invoke(cli, [*check, *options]).stdout
        assert re.search(r"waits(:|\b).*TS101 at \S*ops.py:2\b", shown), shown
