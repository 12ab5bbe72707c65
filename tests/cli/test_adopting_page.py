"""Tests docs/adopting.md: its commands run, in order, in a project with mistakes, and its TOML is valid."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from tslint.cli import cli
from tslint.config import load_file

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/adopting.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_commands_do_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    subprocess.run(["git", "init", "--quiet", "."], check=True, cwd=tmp_path)
    monkeypatch.chdir(tmp_path)
    status: dict[str, int] = {}
    for line in "".join(blocks("console")).splitlines():
        result = CliRunner().invoke(cli, line.split()[1:])
        status[line] = result.exit_code
        assert result.exit_code in (0, 1), result.stderr
    assert status["tslint check --statistics"] == 1
    assert status["tslint check --baseline tslint-baseline.json --write-baseline"] == 0
    assert status["tslint check --baseline tslint-baseline.json"] == 0
    assert status["tslint check --add-ignore"] == 0
    assert CliRunner().invoke(cli, ["check"]).exit_code == 0


def test_the_settings_are_read(tmp_path: Path) -> None:
    for text in blocks("toml"):
        (tmp_path / "pyproject.toml").write_text(text)
        assert load_file(tmp_path / "pyproject.toml").baseline == tmp_path / "tslint-baseline.json"


def test_a_helper_is_known_though_its_caller_is_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CI", "")
    (tmp_path / "helper.py").write_text("def twice(x):\n    try:\n        return x + x\n    finally:\n        pass\n")
    net = (
        "import torch\nfrom helper import twice\nclass Net(torch.nn.Module):\n"
        "    def forward(self, x):\n        return twice(x)\n"
    )
    (tmp_path / "net.py").write_text(net)

    def check(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(cli, ["check", "--baseline", "b.json", *arguments])
        return result.exit_code, result.stderr

    assert check("--write-baseline") == (0, "b.json: 1 known finding in 1 file (1 added)\n")
    assert check("helper.py") == (0, "")  # no code in this run compiles it, which does not mean that it is fixed
    assert check("net.py") == (0, "")
    assert check() == (0, "")
    (tmp_path / "net.py").write_text(net.replace("twice(x)", "x"))
    assert check() == (0, "note: b.json: 1 known finding gone and removed, none left: it can be deleted\n")
