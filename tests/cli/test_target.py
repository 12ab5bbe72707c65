"""Tests ``tslint check --target NAME``: with the facts from ``tslint verify``, without them, and with outdated ones."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.server.client import Client
from tslint.cli import cli

NET = """\
import torch
from torch import nn
from part import Part


class Net(nn.Module):
    def __init__(self, norm=None, scale=None):
        super().__init__()
        self.norm = norm
        self.scale = scale
        self.part = Part(2)

    def forward(self, x):
        x = self.norm(x) if self.training else x
        return self.part(x) * self.scale


def build():
    return Net(nn.ReLU())
"""
PART = """\
from torch import nn


class Part(nn.Module):
    def __init__(self, width):
        super().__init__()
        if width > 2:
            self.lin = nn.Linear(width, width)

    def forward(self, x):
        return self.lin(x) if self.training else x
"""
CONFIG = """\
[tool.tslint.targets.net]
target = "net.py:build"
inputs = ["torch.rand(2, 2)"]
stages = ["eager"]
"""
WITHOUT = ["part.py:11 TS408 warning", "net.py:14 TS413 warning", "net.py:15 TS306 warning"]
WITH = ["net.py:15 TS306 error", "part.py:11 TS408 error"]
NOTE = "note: no valid facts of net, so all constructions are checked; `tslint verify net --facts-only` collects them\n"
CHECKED = """\
import sys
from tslint.cli import cli
cli(["check", "--target", "net", "--exit-zero"], standalone_mode=False)
assert not {"torch", "net", "part", "tslint.verify.runner"} & set(sys.modules)
"""


def tslint(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project whose target was built by the worker."""
    folder = tmp_path_factory.mktemp("built")
    for name, text in (("net.py", NET), ("part.py", PART), ("pyproject.toml", CONFIG)):
        (folder / name).write_text(text, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "tslint", "verify", "net", "--facts-only"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stdout, run.stderr) == (0, "net: facts are up to date\n", "")
    return folder


@pytest.fixture
def project(built: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the project as it was built, restored after changes by other tests."""
    (built / "net.py").write_text(NET, encoding="utf-8")
    (built / "part.py").write_text(PART, encoding="utf-8")
    monkeypatch.chdir(built)
    return built


def found(result: Result) -> list[str]:
    return [
        f"{Path(each['filename']).name}:{each['location']['row']} {each['code']} {each['severity']}"
        for each in json.loads(result.stdout)
    ]


def check(*options: str) -> Result:
    return tslint("check", "--output-format", "json", *options)


def test_with_fresh_facts_findings_are_certain_or_silent(project: Path) -> None:
    result = check("--target", "net")
    assert (found(result), result.stderr, result.exit_code) == (WITH, "", 1)
    assert all("when" not in each["message"] for each in json.loads(result.stdout))
    assert found(check("--target", "net")) == WITH  # now from the cache
    assert sorted(found(check())) == sorted(WITHOUT)


def test_the_human_report_is_certain_too(project: Path) -> None:
    lines = tslint("check", "--target", "net", "--output-format", "concise").stdout.splitlines()
    assert lines[1] == "part.py:11:16: TS408 `Part` does not always set `self.lin`"
    assert lines[2] == "Found 2 errors in 2 files."


@pytest.mark.parametrize("name", ["net.py", "part.py"])
def test_facts_are_stale_once_a_source_that_was_imported_has_changed(project: Path, name: str) -> None:
    file = project / name
    file.write_text(file.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    result = check("--target", "net")
    assert (sorted(found(result)), result.stderr) == (sorted(WITHOUT), NOTE)


def test_without_facts_no_worker_is_started(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(project, tmp_path / "copy", ignore=shutil.ignore_patterns(".tslint_cache"))
    monkeypatch.chdir(tmp_path / "copy")
    program = CHECKED
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, NOTE)


def test_with_facts_neither_torch_nor_the_code_is_imported(project: Path) -> None:
    program = CHECKED
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_a_fix_is_the_same_with_and_without_facts(project: Path) -> None:
    plain = {each["location"]["row"]: each["fix"] for each in json.loads(check().stdout)}
    for each in json.loads(check("--target", "net").stdout):
        assert each["fix"] == plain[each["location"]["row"]]


def test_a_suppression_that_another_construction_needs_is_not_unused(project: Path) -> None:
    text = NET.replace("else x\n", "else x  # tslint: ignore\n")
    (project / "net.py").write_text(text, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "tslint", "verify", "net", "--facts-only"], cwd=project, check=True)
    assert found(check("--target", "net")) == WITH
    (project / "net.py").write_text(NET, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "tslint", "verify", "net", "--facts-only"], cwd=project, check=True)


def test_a_target_must_be_configured(project: Path) -> None:
    result = check("--target", "nte")
    assert (result.exit_code, result.stderr) == (2, "error: --target: there is no target nte; did you mean 'net'?\n")
    result = tslint("verify", "net.py:build", "--facts-only")
    assert result.exit_code == 2
    assert "--facts-only needs a configured target, and net.py:build is not one" in result.stderr


def test_gate_takes_the_facts_of_all_targets(project: Path) -> None:
    report = json.loads(tslint("gate", "--only", "check", "--output-format", "json").stdout)
    assert [each["severity"] for each in report["check"]] == ["error", "error"]


def test_the_editor_takes_facts_while_no_open_text_differs(project: Path) -> None:
    client = Client(project)
    try:
        uri = client.open("part.py", PART)
        assert [each["severity"] for each in client.diagnostics(uri)] == [1]
        client.change(uri, {"text": PART + "\n# changed\n"})
        assert [each["severity"] for each in client.diagnostics(uri)] == [2]
        client.change(uri, {"text": PART})
        assert [each["severity"] for each in client.diagnostics(uri)] == [1]
    finally:
        client.kill()
