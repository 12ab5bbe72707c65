"""Tests ``tslint scope``: the tree as text and as JSON, the types next to the lines, and invalid input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tslint.cli import cli

Folder = Callable[..., Path]
FILES = {
    "pkg/__init__.py": "",
    "pkg/part.py": """\
from torch import nn

from pkg.tools import helper, plot


class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x):
        plot(x)
        return helper(self.linear(x))
""",
    "pkg/tools.py": """\
import torch


def helper(x):
    return x.relu()


@torch.jit.ignore
def plot(x: torch.Tensor) -> None:
    print(x)
""",
    "pkg/net.py": """\
import torch
from torch import nn

from pkg.part import Part
from pkg.tools import helper


class Net(nn.Module):
    def __init__(self, extra=None):
        super().__init__()
        self.part = Part()
        self.unused = nn.Sequential(Part())
        self.extra = extra

    @property
    def width(self) -> int:
        return 2

    def forward(self, x):
        if not torch.jit.is_scripting():
            print(x)
        y = self.part(x)
        if self.extra is not None:
            y = helper(y)
        return helper(y) * self.width

    @torch.jit.export
    def infer(self, x):
        return self.forward(x)


class Aside(nn.Module):
    def forward(self, x):
        return x


torch.jit.trace(Aside(), torch.rand(2))
""",
}
TREE = """\
pkg/net.py
class Net  pkg/net.py:8
├─ Net.forward  pkg/net.py:19
│  ├─ line 21: never compiled, `not torch.jit.is_scripting()` is always false here
│  ├─ Part.forward  pkg/part.py:11, called in line 22
│  │  ├─ plot  pkg/tools.py:9, called in line 12: not compiled, `@torch.jit.ignore`: Python runs it
│  │  └─ helper  pkg/tools.py:4, called in line 13
│  ├─ line 24: compiled when `extra` is not None
│  ├─ helper  pkg/tools.py:4, called in lines 24, 25 (see above)
│  └─ Net.width [property]  pkg/net.py:16, read in line 25
├─ Net.width [property]  pkg/net.py:16 (see above)
├─ Net.infer [export]  pkg/net.py:28
│  └─ Net.forward  pkg/net.py:19, called in line 29 (see above)
├─ self.part: Part  pkg/part.py:6, compiled too (see above)
└─ self.unused: Part  pkg/part.py:6, in an nn.Sequential, compiled too (see above)
class Aside  pkg/net.py:32: only traced: the tracer runs it, and the compiler does not read it

pkg/part.py
class Part  pkg/part.py:6: shown below the module that contains it, in pkg/net.py
"""
TYPES = """\
Part.forward  pkg/part.py:11
  11 | def forward(self, x):              # x: Tensor (inferred); -> Tensor
  12 |     plot(x)
  13 |     return helper(self.linear(x))  # self.linear: Linear; returns Tensor
"""


def scope(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["scope", *arguments])


def test_the_tree(folder: Folder) -> None:
    folder(FILES)
    result = scope("pkg")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == TREE
    assert scope().stdout == TREE


def test_a_terminal_without_lines(folder: Folder) -> None:
    folder(FILES)
    done = subprocess.run(
        [sys.executable, "-m", "tslint", "scope", "pkg"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert done.returncode == 0
    plain = TREE.replace("├─", "|-").replace("└─", "`-").replace("│", "|")
    assert done.stdout.decode("ascii").splitlines() == plain.splitlines()


def test_the_tree_as_json(folder: Folder) -> None:
    root = folder(FILES)
    files = json.loads(scope("pkg", "--output-format", "json").stdout)
    assert [file["filename"] for file in files] == [str(root / "pkg/net.py"), str(root / "pkg/part.py")]
    net, aside = files[0]["roots"]
    assert (net["kind"], net["name"], net["location"]) == ("class", "Net", {"row": 8, "column": 1})
    assert [(child["kind"], child["name"]) for child in net["children"]] == [
        ("forward", "Net.forward"),
        ("property", "Net.width"),
        ("export", "Net.infer"),
        ("submodule", "self.part"),
        ("submodule", "self.unused"),
    ]
    pruned, part, conditional, helper, width = net["children"][0]["children"]
    assert (pruned["kind"], pruned["location"], pruned["end_location"]) == (
        "pruned",
        {"row": 21, "column": 13},
        {"row": 21, "column": 21},
    )
    assert part["called_at"] == [{"row": 22, "column": 13}]
    assert [(child["kind"], child["why"]) for child in part["children"]] == [
        ("exempt", "`@torch.jit.ignore`: Python runs it"),
        ("function", None),
    ]
    assert (conditional["kind"], conditional["condition"]) == ("conditional", "`extra` is not None")
    assert (helper["seen"], helper["children"], helper["filename"]) == (True, [], str(root / "pkg/tools.py"))
    assert (width["name"], width["called_at"]) == ("Net.width", [{"row": 25, "column": 28}])
    assert (net["children"][3]["class"], aside["children"]) == ("Part", [])


def test_the_types(folder: Folder) -> None:
    folder(FILES)
    result = scope("--types", "pkg/part.py")
    assert (result.exit_code, result.stdout, result.stderr) == (0, TYPES, "")


def test_the_types_as_json(folder: Folder) -> None:
    root = folder(FILES)
    names: list[dict[str, Any]] = json.loads(scope("--types", "--output-format", "json", "pkg/part.py").stdout)
    place = {"filename": str(root / "pkg/part.py"), "function": "Part.forward"}
    assert names == [
        {**place, "row": 11, "name": "x", "kind": "parameter", "type": "Tensor (inferred)"},
        {**place, "row": 13, "name": "self.linear", "kind": "attribute", "type": "Linear"},
        {**place, "row": 13, "name": "return", "kind": "return", "type": "Tensor"},
        {**place, "row": 11, "name": "return", "kind": "result", "type": "Tensor"},
    ]


@pytest.mark.parametrize("option", [(), ("--types",)])
def test_bad_input(folder: Folder, option: tuple[str, ...]) -> None:
    folder(FILES)
    result = scope("pkgs", *option)
    assert (result.exit_code, result.stdout) == (2, "" if not option else result.stdout)
    assert result.stderr == "error: pkgs: no such file or folder; did you mean 'pkg'?\n"


def test_a_broken_file(folder: Folder) -> None:
    folder({**FILES, "pkg/broken.py": "def f(:\n"})
    result = scope("pkg")
    assert (result.exit_code, result.stdout) == (2, TREE)
    assert result.stderr == "error: pkg/broken.py:1: cannot be parsed: invalid syntax\n"


def test_bytes_that_are_no_text(folder: Folder) -> None:
    folder({"net.py": b"\xff\xfe"})
    result = scope("net.py")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert result.stderr.startswith("error: net.py: cannot be decoded: ")


def test_nothing_is_compiled(folder: Folder) -> None:
    folder({"a.py": "x = 1\n", "b/c.py": "", "b/d.py": ""})
    nothing = "nothing in it is compiled: no nn.Module, nothing passed to torch.jit.script"
    assert scope("a.py").stdout == f"a.py\n  {nothing}\n"
    result = scope("b")
    note = "note: nothing under the given paths is compiled: no nn.Module, nothing passed to torch.jit.script\n"
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", note)
    assert scope("--types", "a.py").stderr == note
    assert scope("b", "--output-format", "json").stdout == "[]\n"


def test_entry_points(folder: Folder) -> None:
    folder({**FILES, "tslint.toml": 'entry-points = ["pkg.part:Part"]\n'})
    result = scope("pkg")
    assert result.stdout.splitlines()[:2] == ["pkg/part.py", "class Part  pkg/part.py:6"]
    assert "Net" not in result.stdout
    assert "Net" in scope("pkg", "--isolated").stdout


@pytest.mark.parametrize("command", ["scope", "check"])
def test_an_unknown_entry_point(folder: Folder, command: str) -> None:
    folder({**FILES, "tslint.toml": 'entry-points = ["pkg.part:Prat"]\n'})
    result = CliRunner().invoke(cli, [command, "pkg"])
    message = "pkg/part.py has no class or function Prat; did you mean 'Part'?"
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f'error: tslint.toml: entry-points: "pkg.part:Prat": {message}\n'


def test_modules_that_hold_one_another_and_recursion(folder: Folder) -> None:
    text = """\
from torch import nn

class A(nn.Module):
    def __init__(self, depth: int):
        super().__init__()
        self.b = B(depth)

    def forward(self, x):
        return self.b(x)

class B(nn.Module):
    def __init__(self, depth: int):
        super().__init__()
        if depth:
            self.a = A(depth - 1)

    def forward(self, x):
        return self.forward(x)
"""
    folder({"net.py": text})
    result = scope("net.py")
    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
net.py
class A  net.py:3
├─ A.forward  net.py:8
│  └─ B.forward  net.py:17, called in line 9
└─ self.b: B  net.py:11, compiled too
   └─ self.a: A  net.py:3, compiled too, when `depth` is true (see above)
"""
    )


def test_escape_sequences_in_names_are_not_printed(folder: Folder) -> None:
    folder({"net.py": FILES["pkg/tools.py"] + "@torch.jit.script\ndef f(x):\n    return x  # \x1b[31mred\n"})
    result = scope("--types", "net.py")
    assert "\x1b" not in result.stdout
    assert "return x" in result.stdout
