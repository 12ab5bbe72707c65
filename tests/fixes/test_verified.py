"""Tests ``tslint verify --fix``: it only writes fixes that a run has proven."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests import warm
from tests.verify.schema import SCHEMA
from tslint.cli import cli

Folder = Callable[..., Path]
X = "torch.rand(2, 3)"
# Saves half of the time: the results of these stages are the same for every fix here.
QUICK = ("--inputs", X, "--skip", "freeze,threads,export")
# Saves half of the time again, for tests that are not about the mode.
SCRIPT = (*QUICK, "--mode", "script")
NET = """\
import torch
from torch import nn
from torch.autograd import Variable


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        out = []
        for i in range(3):
            out.append(i)
        return self.fc(x + Variable(torch.ones(3))) * len(out)
"""
MENDED = """\
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        out: List[int] = []
        for i in range(3):
            out.append(i)
        return self.fc(x + torch.ones(3)) * len(out)
"""


def verify(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["verify", "--isolated", *arguments])


def status_and_target(*arguments: str) -> tuple[int, Any]:
    """Return the exit status and the only target of the JSON report."""
    result = verify(*arguments, "--output-format", "json")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, json.loads(result.stdout)["targets"][0]


def fates(target: Any) -> dict[str, tuple[str, str]]:
    """Return the result of the fix at each position."""
    return {
        f"{Path(each['filename']).name}:{each['location']['row']} {each['code']}": (each["status"], each["reason"])
        for each in target["fixes"]
    }


@pytest.mark.slow
def test_what_is_proven_is_written_with_its_line_ends(folder: Folder) -> None:
    root = folder({"net.py": NET.replace("\n", "\r\n")})
    arguments = ("net.py:Net", *SCRIPT, "--fix", "--unsafe-fixes")
    shown = verify(*arguments, "--diff")
    assert shown.exit_code == 1
    assert "  Proven in 2 runs; would write 2 fixes to net.py.\n" in shown.stdout
    assert "+        out: List[int] = []\r\n" in shown.stdout_bytes.decode()
    assert (root / "net.py").read_bytes() == NET.replace("\n", "\r\n").encode()
    status, target = status_and_target(*arguments)
    assert (status, target["verdict"], target["written"]) == (0, "pass", True)
    assert fates(target) == {"net.py:14 TS504": ("applied", ""), "net.py:15 TS213": ("applied", "")}
    assert target["files"] == [str(root / "net.py")]
    assert (root / "net.py").read_bytes() == MENDED.replace("\n", "\r\n").encode()
    assert [each.name for each in root.iterdir() if each.suffix != ".py"] in ([], ["__pycache__"])
    # The second run has nothing to fix.
    status, target = status_and_target(*arguments)
    assert (status, target["verdict"], target["fixes"], target["written"]) == (0, "pass", [], False)
    assert target["note"] == "there is nothing to fix"


def test_the_json_has_the_documented_fields(folder: Folder) -> None:
    """The fields are those of a run without fixes, and the documented additional ones."""
    folder({"net.py": NET})
    _, target = status_and_target("net.py:Net", *SCRIPT, "--fix", "--diff")
    promised = SCHEMA["properties"]["targets"]["items"]["properties"]
    assert set(target) - set(promised) == {"fixes", "files", "written", "diff", "note"}
    fields = {"code", "name", "filename", "location", "message", "status", "reason"}
    assert all(set(each) == fields for each in target["fixes"])


def test_what_cannot_be_made_to_pass_keeps_the_fixes_that_change_nothing(folder: Folder) -> None:
    text = NET.replace("class Net", "class Part") + (
        "\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.part = Part()\n"
        "\n    def odd(self, x):\n        yield x\n"
        "\n    def forward(self, x):\n        return next(self.odd(self.part(x)))\n"
    )
    root = folder({"net.py": text})
    result = verify("net.py:Net", *SCRIPT, "--fix", "--unsafe-fixes")
    assert result.exit_code == 1
    assert "out: List[int] = []" in (root / "net.py").read_text()
    assert "applied   net.py:14:13 TS504 untyped-container" in result.stdout
    assert "these fixes change no result, and the target does not pass yet: script: " in result.stdout
    assert "and written: 2 fixes to net.py.\n" in result.stdout


def test_a_package_and_its_files_are_fixed_together(folder: Folder) -> None:
    tools = "import torch\n\n\ndef total(x, n):\n    out = []\n    out.append(1)\n    return x * len(out) * n\n"
    root = folder(
        {
            "pkg/__init__.py": "",
            "pkg/tools.py": tools,
            "pkg/other.py": "from torch import nn\n\n\nclass Other(nn.Module):\n    def forward(self, x):\n"
            "        out = []\n        out.append(1)\n        return x * len(out)\n",
            "pkg/net.py": NET.replace("import torch\n", "import torch\nfrom .tools import total\n")
            .replace("self.fc(", "self.fc(total(")
            .replace("(3))) *", "(3)), 2)) *")
            .replace("class", "from .other import Other  # not a part of Net\n\n\nclass"),
            "pkg/data.txt": "beside the module",
        }
    )
    net = root / "pkg" / "net.py"
    net.write_text(net.read_text() + "\n\nTEXT = open(__file__[:-6] + 'data.txt').read()\n")
    other = (root / "pkg" / "other.py").read_text()
    # Without unsafe fixes, and with the dotted name of the target.
    status, target = status_and_target("pkg.net:Net", *SCRIPT, "--fix")
    assert (status, target["verdict"]) == (0, "pass"), target
    assert {Path(file).name for file in target["files"]} == {"net.py", "tools.py"}
    assert "out: List[int] = []" in (root / "pkg" / "tools.py").read_text()
    assert "def total(x, n: int):" in (root / "pkg" / "tools.py").read_text()
    assert "out: List[int] = []" in net.read_text()
    # Only files that are part of the target's code have changed.
    assert (root / "pkg" / "other.py").read_text() == other


def test_bad_calls_are_one_line(folder: Folder) -> None:
    root = folder({"net.py": NET})
    for arguments in (["net.py:Net", "--unsafe-fixes"], ["net.py:Net", "--diff"]):
        result = verify(*arguments)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert "needs --fix" in result.stderr
    result = verify("net.py:Net", "--fix")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: net.py:Net: fixes cannot be proven: no inputs; give them with --inputs")
    assert verify("net.py:Nat", "--fix", "--inputs", X).exit_code == 2
    assert verify("nat.py:Net", "--fix", "--inputs", X).exit_code == 2
    assert (root / "net.py").read_text() == NET


@pytest.mark.slow
def test_without_an_eager_output_nothing_is_proven(folder: Folder) -> None:
    root = folder({"net.py": NET})
    result = verify("net.py:Net", "--fix", "--inputs", "torch.rand(2, 4)")
    assert result.exit_code == 1
    assert "no fix can be proven, as there is no eager output to compare with: forward raised" in result.stdout
    assert (root / "net.py").read_text() == NET


# The toy rules rename `bad` (safe), `ugly` and `lists` everywhere.
TOY = """\
from torch import nn
import helpers

good, bad = 1, 1
pretty, ugly = 2, 3
lists, List = 1, 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x) * 1
"""


def toy(folder: Folder, line: str, **files: str) -> Path:
    """Return a target in which the toy rules find something only in its forward."""
    values = "good = bad_ = 1\npretty, ugly_ = 2, 3\n"
    text = TOY[: TOY.index("good,")] + TOY[TOY.index("class") :].replace("self.fc(x) * 1", line)
    head = "import sys\nbuiltins = __import__('builtins')\n"
    names = "builtins.bad, builtins.good, builtins.ugly, builtins.pretty = 1, 1, 3, 2\n"
    return folder({"net.py": text, "helpers.py": head + values + names, **files})


@pytest.mark.slow
@pytest.mark.usefixtures("toy_rules")
def test_a_fix_that_changes_the_output_is_left_out(folder: Folder) -> None:
    root = toy(folder, "self.fc(x) * bad * bad * ugly * bad * bad")
    text = (root / "net.py").read_text()
    status, target = status_and_target("net.py:Net", *QUICK, "--fix", "--unsafe-fixes", "--mode", "trace")
    assert (status, target["verdict"], target["written"]) == (0, "pass", True)
    statuses = [each["status"] for each in target["fixes"]]
    assert statuses == ["applied", "applied", "left out", "applied", "applied"]
    assert target["fixes"][2]["reason"] == "the eager output changes: other values (float32[2, 3])"
    assert (root / "net.py").read_text() == text.replace("bad", "good")


@pytest.mark.usefixtures("toy_rules")
@pytest.mark.slow
def test_a_fix_that_breaks_what_passed_is_left_out(folder: Folder) -> None:
    root = toy(folder, "self.fc(x) * bad if bad else self.fc(x)")
    text = (root / "net.py").read_text().replace("good, ", "")
    (root / "helpers.py").write_text("import builtins\nbuiltins.bad = 1\n")
    status, target = status_and_target("net.py:Net", *QUICK, "--fix", "--mode", "trace")
    assert (status, target["verdict"], target["written"]) == (0, "pass", False)
    reason = "eager fails: forward raised NameError: name 'good' is not defined (net.py:10)"
    assert [(each["status"], each["reason"]) for each in target["fixes"]] == [("left out", reason)] * 2
    assert (root / "net.py").read_text() == text


@pytest.mark.usefixtures("toy_rules")
@pytest.mark.slow
def test_keys_that_change_are_harm(folder: Folder) -> None:
    line = "self.fc(x)"
    root = toy(folder, line)
    buffer = "        setattr(self, 'b' * ugly, nn.Linear(1, 1))\n"
    text = (root / "net.py").read_text().replace("    def forward", buffer + "\n    def forward")
    text = text.replace(line, line + " * bad")
    (root / "net.py").write_text(text)
    status, target = status_and_target("net.py:Net", *QUICK, "--fix", "--unsafe-fixes", "--mode", "trace")
    assert (status, target["written"]) == (0, True)
    assert {each["reason"] for each in target["fixes"]} == {"", "the keys of state_dict change: 'bbb.weight' is gone"}
    assert (root / "net.py").read_text() == text.replace("* bad", "* good")


@pytest.mark.usefixtures("toy_rules")
@pytest.mark.slow
def test_a_read_only_file_leaves_all_unfixed(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    root = toy(folder, "self.fc(x) * bad")
    text = (root / "net.py").read_text()
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "net.py")
    result = verify("net.py:Net", *QUICK, "--fix", "--mode", "trace")
    assert result.exit_code == 2
    assert result.stderr == "error: net.py:Net: net.py: not fixed: the file is read-only\n"
    assert (root / "net.py").read_text() == text


@pytest.mark.slow
def test_modules_found_through_pythonpath_come_from_the_copy(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an editable install, for example, the project's own folder is on the path in another way."""
    root = folder({"src/net.py": NET, "run.py": "from net import Net\n", "pyproject.toml": ""})
    monkeypatch.setenv("PYTHONPATH", str(root / "src"))
    status, target = status_and_target("run.py:Net", *SCRIPT, "--fix")
    assert (status, target["verdict"]) == (0, "pass")
    assert "out: List[int] = []" in (root / "src" / "net.py").read_text()


@pytest.mark.slow
def test_verify_fix_as_a_separate_process(folder: Folder) -> None:
    root = folder({"net.py": NET})
    command = [sys.executable, "-m", "tslint", "verify", "net.py:Net", "--inputs", X, "--fix", "--save-to", "out"]
    done = warm.run(command, cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("  Proven in 2 runs and written: 2 fixes to net.py.\n")
    assert sorted(each.suffix for each in (root / "out").iterdir()) == [".pt", ".pt"]
