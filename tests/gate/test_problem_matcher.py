"""Tests that templates/problem-matcher.json reads the output of `tslint check`, as GitHub's runner applies it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.gate.workflows import STEPS
from tests.packaging.support import ROOT
from tslint.cli import cli

FILE = ROOT / "templates/problem-matcher.json"
MATCHERS: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))["problemMatcher"]
SHOWN = {"error": "error", "warning": "warning", "info": "notice"}
FILES = {
    "net.py": """\
from torch import nn


class Net(nn.Module):
    def forward(self, x, flag: bool = False):
        self.last = x
        found = []
        found.append(1)
        try:
            return x
        finally:
            pass
""",
    "sub/plain.py": """\
import torch


class Scale(torch.nn.Module):
    def forward(self, x, times: int = 2):
        return x * times
""",
}
NOTEBOOK = {"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None,
                       "source": FILES["net.py"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}  # fmt: skip


def issues(output: str) -> Iterator[dict[str, str]]:
    """Yield the annotations that the runner makes from a step's output: patterns of one matcher match consecutive
    lines.
    """
    states: list[tuple[int, dict[str, str]]] = [(0, {}) for _ in MATCHERS]
    for line in output.splitlines():
        for index, matcher in enumerate(MATCHERS):
            at, known = states[index]
            found = re.search(matcher["pattern"][at]["regexp"], line)
            if found is None and at:
                at, known = 0, {}
                found = re.search(matcher["pattern"][0]["regexp"], line)
            states[index] = (0, {})
            if found is None:
                continue
            groups = {key: found[group] for key, group in matcher["pattern"][at].items() if key != "regexp"}
            known = {**known, **groups}
            if at + 1 < len(matcher["pattern"]):
                states[index] = (at + 1, known)
                continue
            yield {**known, "severity": known.get("severity") or matcher["severity"]}
            states = [(0, {}) for _ in MATCHERS]
            break


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(*arguments: str) -> str:
    return CliRunner().invoke(cli, ["check", "--isolated", "--select", "ALL", *arguments]).output


@pytest.mark.parametrize("style", ["concise", "full"])
def test_every_finding_becomes_an_annotation(project: Path, style: str) -> None:
    findings = json.loads(printed(".", "--output-format", "json"))
    assert {each["severity"] for each in findings} == set(SHOWN)
    assert list(issues(printed(".", "--output-format", style))) == [
        {
            "file": Path(each["filename"]).relative_to(project).as_posix(),
            "line": str(each["location"]["row"]),
            "column": str(each["location"]["column"]),
            "code": each["code"],
            "message": each["message"],
            "severity": SHOWN[each["severity"]] if style == "full" else "error",
        }
        for each in findings
    ]


@pytest.mark.parametrize("style", ["concise", "full"])
def test_lines_of_a_notebooks_cell_are_not_taken_for_those_of_the_file(project: Path, style: str) -> None:
    (project / "net.ipynb").write_text(json.dumps(NOTEBOOK))
    output = printed("net.ipynb", "--output-format", style)
    assert "net.ipynb:cell 1:9:9" in output
    assert not list(issues(output))


@pytest.mark.parametrize("style", ["grouped", "github", "json"])
def test_other_formats_are_left_alone(project: Path, style: str) -> None:
    assert not list(issues(printed(".", "--output-format", style)))


def test_the_action_adds_the_matcher() -> None:
    (step,) = [step for step in STEPS if step["name"] == "Add the problem matcher"]
    environ = {"ACTION": str(ROOT)}
    assert step["env"] == {"ACTION": "${{ github.action_path }}"}
    said = subprocess.run(["bash", "-c", step["run"]], env=environ, capture_output=True, text=True, check=True).stdout
    assert said == f"::add-matcher::{FILE}\n"
