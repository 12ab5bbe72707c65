"""Tests GitLab's code quality report against its documentation."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from tests.reporters.test_formats import TEXT
from tslint.cli import cli

pytestmark = pytest.mark.usefixtures("toy_rules")
# All keys that the documentation requires; a position is a line, in a path relative to the checkout.
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": False,
        "properties": {
            "description": {"type": "string", "minLength": 1, "pattern": "^[^\n]*$"},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "additionalProperties": False,
                "properties": {
                    "path": {"type": "string", "pattern": r"^[^/.\\]"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "additionalProperties": False,
                        "properties": {
                            "begin": {"type": "integer", "minimum": 1},
                            "end": {"type": "integer", "minimum": 1},
                        },
                    },
                },
            },
        },
    },
}


@pytest.fixture
def issues(folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    for variable in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(variable, raising=False)

    def check(files: dict[str, str | bytes], *arguments: str) -> Any:
        folder(files)
        found = json.loads(CliRunner().invoke(cli, ["check", "--output-format", "gitlab", *arguments]).stdout)
        jsonschema.validate(found, SCHEMA)
        return found

    return check


def test_an_issue(issues: Callable[..., Any]) -> None:
    found = issues({"pkg/net.py": TEXT + "remark\n"}, "--select", "TS,TS294")
    assert {key: value for key, value in found[0].items() if key != "fingerprint"} == {
        "description": "TS291 toy-bad: `bad` is a toy",
        "check_name": "TS291",
        "severity": "critical",
        "location": {"path": "pkg/net.py", "lines": {"begin": 2, "end": 2}},
    }
    assert [each["severity"] for each in found] == ["critical", "critical", "minor", "critical", "info"]


def test_fingerprints_are_unique_across_files_and_stay(issues: Callable[..., Any]) -> None:
    before = issues({"a.py": "bad\nbad\n", "b.py": "bad, bad\n", "c.py": b"\0"})
    assert len({each["fingerprint"] for each in before}) == 5
    after = issues({"a.py": "x = 1\n\nbad\ny = 2\nbad\n", "b.py": "\nbad, bad\n"})
    assert [each["fingerprint"] for each in after] == [each["fingerprint"] for each in before]


def test_nothing_found(issues: Callable[..., Any]) -> None:
    assert issues({"a.py": ""}) == []
