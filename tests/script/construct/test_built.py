"""Tests built modules: for one construction, the static model agrees with the compiler, without conditions.

Each row builds a module, asks the compiler, and checks the file with the facts that ``tslint verify`` would store.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import torch

from tslint.config import Settings
from tslint.diagnostics import Diagnostic, Severity
from tslint.lint.engine import judge, load
from tslint.verify.built_facts import built_facts

HEAD = """\
import functools
from typing import Dict, Final, List, Optional
import torch
import torch.nn.functional as F
from torch import nn


def doubled(x):
    return x * 2

"""
NET = """
class Net(nn.Module):
    def __init__(self, given):
        super().__init__()
{init}

    def forward(self, x):
        return {forward}


def build():
    return Net({given})
"""
ROWS = [
    # A statement of __init__; the returned expression of forward; a construction that compiles; one that does not.
    ("self.norm = given", "self.norm(x)", "nn.LayerNorm(4)", "None"),
    ("self.scale = given", "x * self.scale", "2.0", "'2'"),
    ("self.scale = given", "x * self.scale", "torch.ones(1)", "object()"),
    ("self.act = given", "self.act(x)", "doubled", "lambda x: x"),
    ("self.act = given", "self.act(x)", "torch.relu", "functools.partial(F.relu)"),
    ("self.act = given", "self.act(x)", "F.relu", "None"),
    ("self.sizes = given", "x.view(self.sizes)", "[2, 2]", "[]"),
    ("self.sizes = given", "x.view(self.sizes)", "[4]", "['4']"),
    ("self.table = given", "x * self.table['a']", "{'a': 1}", "{'a': 1, 2: 'b'}"),
    ("if given:\n            self.extra = nn.ReLU()", "self.extra(x)", "True", "False"),
    ("self.parts = nn.ModuleList(given)", "self.parts[1](x)", "[nn.ReLU(), nn.ReLU()]", "[nn.ReLU()]"),
    ("self.register_buffer('mask', given)", "x + self.mask", "torch.ones(1)", "None"),
    ("self.register_parameter('bias', given)", "x + self.bias", "nn.Parameter(torch.ones(1))", "None"),
    ("setattr(self, given, 1)", "x + self.step", "'step'", "'steps'"),
    ("self.__dict__.update(given)", "x + self.step", "{'step': 1}", "{}"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("built_"):
            del sys.modules[name]


def imported(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def findings(path: Path) -> tuple[list[Diagnostic], int]:
    """Return the findings with the facts of the module that a file builds, and the line where the compiler
    stops, or 0.
    """
    module = imported(path).build()
    settings = Settings(root=path.parent, built=(json.dumps(built_facts(module)),))
    found = [each for each in judge(load([path], settings), settings).diagnostics if each.code < "TS6"]
    try:
        torch.jit.script(module)
    except Exception as error:
        places = re.findall(rf'File "{re.escape(str(path))}", line (\d+)', str(error))
        return found, int(places[0])
    return found, 0


@pytest.mark.parametrize(("init", "forward", "good", "bad"), ROWS, ids=[f"{r[0]} | {r[3]}" for r in ROWS])
def test_one_construction_is_judged_as_the_compiler_judges_it(
    folder: Path, init: str, forward: str, good: str, bad: str
) -> None:
    for name, given in (("good", good), ("bad", bad)):
        path = folder / f"built_{name}.py"
        path.write_text(HEAD + NET.format(init=f"        {init}", forward=forward, given=given), encoding="utf-8")
        found, stops = findings(path)
        assert [each.severity for each in found] == [Severity.ERROR] * bool(stops), (name, stops, found)
        assert [each.start.row for each in found] == [stops] * bool(stops)
        assert bool(stops) is (name == "bad")


def test_each_kind_of_instance_is_judged_by_itself(folder: Path) -> None:
    path = folder / "built_two.py"
    path.write_text(
        HEAD
        + """
class Part(nn.Module):
    def __init__(self, norm=None, bias=None):
        super().__init__()
        self.norm = norm
        self.bias = bias

    def forward(self, x):
        if self.norm is not None:
            x = self.norm(x) + self.bias
        return x


class Net(nn.Module):
    def __init__(self, second):
        super().__init__()
        self.one = Part(nn.ReLU(), 1.0)
        self.two = second

    def forward(self, x):
        return self.two(self.one(x))


def build():
    return Net(Part())
""",
        encoding="utf-8",
    )
    assert findings(path) == ([], 0)
    path = folder / "built_third.py"
    path.write_text(
        (folder / "built_two.py").read_text(encoding="utf-8").replace("Net(Part())", "Net(Part(nn.ReLU()))"),
        encoding="utf-8",
    )
    found, stops = findings(path)
    assert [(each.start.row, each.severity) for each in found] == [(stops, Severity.ERROR)]
    assert "when" not in found[0].message
