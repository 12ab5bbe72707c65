"""Tests that every format contains every finding of the examples, and is the same for any number of processes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from tests.packaging.support import clean_environ
from tslint.cli import cli
from tslint.config import OUTPUT_FORMATS
from tslint.reporters import MODULES

ROOT = Path(__file__).parents[2]


def check(output_format: str) -> str:
    arguments = ["check", "examples", "--output-format", output_format]
    return CliRunner().invoke(cli, arguments, env={"GITHUB_WORKSPACE": "", "CI_PROJECT_DIR": ""}).stdout


@pytest.fixture
def findings(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Return the findings of the examples in JSON."""
    monkeypatch.chdir(ROOT)
    found: list[dict[str, Any]] = json.loads(check("json"))
    assert len(found) > 10
    assert {each["severity"] for each in found} == {"error", "warning"}
    return found


def path(finding: dict[str, Any]) -> str:
    return Path(finding["filename"]).relative_to(ROOT).as_posix()


def place(finding: dict[str, Any]) -> tuple[str, int, int]:
    return path(finding), finding["location"]["row"], finding["location"]["column"]


def test_every_format_can_be_chosen() -> None:
    assert tuple(MODULES) == OUTPUT_FORMATS


def test_json_lines(findings: list[dict[str, Any]]) -> None:
    assert [json.loads(line) for line in check("json-lines").splitlines()] == findings


def test_concise(findings: list[dict[str, Any]]) -> None:
    lines = check("concise").splitlines()[:-1]
    for line, each in zip(lines, findings, strict=True):
        assert line.startswith(":".join(map(str, place(each))) + f": {each['code']} ")
        assert line.endswith(each["message"])


def test_full(findings: list[dict[str, Any]]) -> None:
    blocks = check("full").split("\n\n")[:-1]
    for block, each in zip(blocks, findings, strict=True):
        title, where = block.splitlines()[:2]
        assert title.startswith(f"{each['code']} {each['name']}") and title.endswith(each["message"])
        assert where.endswith("--> " + ":".join(map(str, place(each))))
        assert f"  = help: {each['help']}" in block.splitlines() or each["help"] is None


def test_grouped(findings: list[dict[str, Any]]) -> None:
    expected: list[list[str]] = []
    shown: list[list[str]] = []
    for each in findings:
        if [path(each) + ":"] not in expected:
            expected.append([path(each) + ":"])
        expected.append([f"{each['location']['row']}:{each['location']['column']}", each["code"], each["message"]])
    for line in filter(None, check("grouped").splitlines()[:-1]):
        words = line.split(maxsplit=3)
        shown.append([words[0], words[1], line.partition(": ")[2]] if line.startswith(" ") else [line])
    assert shown == expected


def test_github(findings: list[dict[str, Any]]) -> None:
    for line, each in zip(check("github").splitlines(), findings, strict=True):
        file, row, _ = place(each)
        title = f"title=tslint%3A {each['code']} {each['name']}"
        assert line.startswith(f"::{each['severity']} {title},file={file},line={row},")
        assert each["message"].replace("%", "%25") in line


def test_gitlab(findings: list[dict[str, Any]]) -> None:
    issues = json.loads(check("gitlab"))
    for issue, each in zip(issues, findings, strict=True):
        assert issue["check_name"] == each["code"] and issue["description"].endswith(each["message"])
        assert (issue["location"]["path"], issue["location"]["lines"]["begin"]) == place(each)[:2]
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)


def test_sarif(findings: list[dict[str, Any]]) -> None:
    (run,) = json.loads(check("sarif"))["runs"]
    for result, each in zip(run["results"], findings, strict=True):
        (location,) = result["locations"]
        physical = location["physicalLocation"]
        region = physical["region"]
        assert (result["ruleId"], result["level"]) == (each["code"], each["severity"])
        assert (physical["artifactLocation"]["uri"], region["startLine"], region["startColumn"]) == place(each)
        assert each["end_location"] == {"row": region["endLine"], "column": region["endColumn"]}
        assert (result["message"].get("markdown") or result["message"]["text"]).startswith(each["message"])
        applied = each["fix"] is not None and each["fix"]["applicability"] != "display"
        assert ("fixes" in result) == applied
        steps = [step["name"] for step in each["compiled_via"]]
        related = [step["logicalLocations"][0]["fullyQualifiedName"] for step in result.get("relatedLocations", ())]
        assert related == (steps if len(steps) > 1 else [])


def test_junit(findings: list[dict[str, Any]]) -> None:
    suites = list(ElementTree.fromstring(check("junit")))
    assert [suite.attrib["name"] for suite in suites] == sorted(
        file.relative_to(ROOT).as_posix() for file in (ROOT / "examples").rglob("*.py")
    )
    details = [detail.text or "" for suite in suites for case in suite for detail in case]
    for text, each in zip(details, findings, strict=True):
        assert text.startswith(":".join(map(str, place(each))) + f": {each['code']} {each['name']}")
        assert each["message"] in text.splitlines()[0]


# Each file is a chunk here, so that the examples suffice for several processes; each process has its own order of sets.
_DIVIDED = """
import sys
from pathlib import Path
from tslint.lint import parallel
from tslint.config import Settings
from tslint.lint.engine import judge, load
from tslint.reporters import MODULES, render
from tslint.reporters.view import View

if __name__ == "__main__":
    parallel.WHOLE = parallel.TOGETHER = parallel.CHUNK = int(sys.argv[1])
    settings = Settings(jobs=int(sys.argv[2]))
    report = judge(load([Path("examples")], settings), settings)
    for name in MODULES:
        sys.stdout.write(render(name, report, View()))
"""


@pytest.mark.slow
def test_the_same_bytes_however_the_work_is_divided(tmp_path: Path) -> None:
    script = tmp_path / "divided.py"
    script.write_text(_DIVIDED)

    def said(chunk: int, jobs: int, seed: int) -> bytes:
        command = [sys.executable, str(script), str(chunk), str(jobs)]
        environ = {**clean_environ(), "PYTHONHASHSEED": str(seed)}
        return subprocess.run(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, check=True).stdout

    whole = said(10**9, 1, 1)
    assert len(whole) > 10_000
    assert said(1, 1, 2) == whole
    assert said(1, 4, 3) == whole
