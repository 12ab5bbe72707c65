"""Tests the whole pipeline with the real static model and rules, in a separate process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.helper(x)

    def helper(self, x: torch.Tensor) -> torch.Tensor:
        try:
            return x + 1
        except RuntimeError:
            return x
"""


def tslint(*arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tslint", *arguments]
    return subprocess.run(command, capture_output=True, text=True, input=stdin, encoding="utf-8")


def test_a_finding_with_its_path(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": NET, "broken.py": "def f(:\n"})
    done = tslint("check")
    assert done.returncode == 1
    assert "TS101 try-block: " in done.stdout
    assert "--> net.py:10:9\n" in done.stdout
    assert "compiled via: Net.forward → Net.helper\n" in done.stdout
    assert "TS901 unparsable-file: " in done.stdout
    assert done.stdout.endswith("Found 2 errors in 2 files.\n")
    found = json.loads(tslint("check", "--output-format", "json", "net.py").stdout)
    assert [(each["code"], each["filename"]) for each in found] == [("TS101", str(root / "net.py"))]
    assert [step["name"] for step in found[0]["compiled_via"]] == ["Net.forward", "Net.helper"]


def test_suppressed_by_code_or_name_and_unused_when_mended(folder: Callable[..., Path]) -> None:
    for rule in ("TS101", "try-block"):
        folder({"net.py": NET.replace("try:", f"try:  # tslint: ignore[{rule}]")})
        assert tslint("check").stdout == "All checks passed!\n"
    folder({"net.py": NET.replace("return self.helper(x)", "return x  # tslint: ignore[TS101]")})
    done = tslint("check", "--output-format", "concise", "--select", "TS9")
    assert done.stdout.startswith("net.py:7:19: TS902 [*] `tslint: ignore` of `TS101` suppresses nothing\n")


HELPER = """\
import torch


def helper(x: torch.Tensor) -> torch.Tensor:
    try:  # tslint: ignore[TS101]
        return x + 1
    except RuntimeError:
        return x
"""
CALLER = """\
import torch
from torch import nn

from helpers import helper


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return helper(x)
"""


def test_what_another_file_may_need_is_not_called_unused(folder: Callable[..., Path]) -> None:
    folder({"helpers.py": HELPER, "net.py": CALLER})
    assert tslint("check", "helpers.py").stdout == "All checks passed!\n"
    assert tslint("check").stdout == "All checks passed!\n"
    # If the run includes the caller, the result is known; and a misspelt suppression is wrong anywhere.
    folder({"helpers.py": HELPER.replace("try:", "if x.dim() > 1:").replace("except RuntimeError:", "else:")})
    assert tslint("check", "helpers.py").stdout == "All checks passed!\n"
    assert "helpers.py:5:22: TS902 [*]" in tslint("check", "--output-format", "concise").stdout
    folder({"helpers.py": HELPER.replace("TS101", "tri-block")})
    assert "unknown rule 'tri-block'" in tslint("check", "helpers.py").stdout


def test_unsaved_text(folder: Callable[..., Path]) -> None:
    folder({"net.py": ""})
    done = tslint("check", "--output-format", "concise", "--stdin-filename", "net.py", "-", stdin=NET)
    assert done.stdout.startswith("net.py:10:9: TS101 ")


def test_neither_torch_nor_the_code_is_imported(folder: Callable[..., Path]) -> None:
    folder({"net.py": NET + "\nraise SystemExit('imported')\n"})
    code = (
        "import sys; from tslint.cli import cli; sys.argv = ['tslint', 'check']\n"
        "try: cli()\nexcept SystemExit as leave: print(leave.code, 'torch' in sys.modules, 'net' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "1 False False"


def test_escapes_that_python_warns_of_are_not_shown(folder: Callable[..., Path]) -> None:
    folder({"net.py": "pattern = '\\d'\nname = 1 is 1\n"})
    done = tslint("check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "All checks passed!\n", "")
