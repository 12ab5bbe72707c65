"""Tests that SARIF has the data that code scanning services and editors read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

import pytest
from click.testing import CliRunner

from tests.reporters.test_formats import TEXT
from tslint.cli import cli
from tslint.reporters.sarif import _message

pytestmark = pytest.mark.usefixtures("toy_rules")


@pytest.fixture
def run(folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return the run object of a check of some files."""
    for variable in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(variable, raising=False)

    def check(files: dict[str, str | bytes] | str, *arguments: str) -> Any:
        folder({"pkg/net.py": files} if isinstance(files, str) else files)
        (only,) = json.loads(CliRunner().invoke(cli, ["check", "--output-format", "sarif", *arguments]).stdout)["runs"]
        return only

    return check


def test_a_result(run: Callable[..., Any], tmp_path: Path) -> None:
    found = run(TEXT)
    assert [each["ruleId"] for each in found["results"]] == ["TS291", "TS191", "TS292", "TS191"]
    assert [each["level"] for each in found["results"]] == ["error", "error", "warning", "error"]
    assert found["columnKind"] == "unicodeCodePoints"
    result = found["results"][0]
    (place,) = result["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "pkg/net.py", "uriBaseId": "%SRCROOT%", "index": 0},
        # The name comes after a character of three bytes.
        "region": {"startLine": 2, "startColumn": 17, "endLine": 2, "endColumn": 20, "snippet": {"text": "bad"}},
    }
    words = "`bad` is a toy\nDo it otherwise."
    assert result["message"] == {"text": words, "markdown": words}
    assert result["properties"]["compiler"] == "Toys are not supported"
    base = found["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    assert base.endswith("/") and Path(url2pathname(urlsplit(base).path)) == tmp_path
    assert found["artifacts"][0]["location"] == {"uri": "pkg/net.py", "uriBaseId": "%SRCROOT%"}


def test_the_rules_are_explained(run: Callable[..., Any]) -> None:
    found = run({"net.py": b"\0", "other.py": "bad, ugly\n"})
    rules = found["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["TS291", "TS292", "TS901"]
    for result in found["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert [rule["defaultConfiguration"]["level"] for rule in rules] == ["error", "warning", "error"]
    real = rules[2]
    assert real["name"] == "unparsable-file"
    assert "\n## What it does\n" in real["help"]["markdown"] == real["help"]["text"]
    assert real["helpUri"].startswith("https://") and real["helpUri"].endswith("/unparsable-file/")
    assert real["fullDescription"]["text"] not in ("", real["shortDescription"]["text"])


def test_the_call_path_is_a_flow_that_ends_at_the_finding(run: Callable[..., Any]) -> None:
    result = run(TEXT)["results"][0]
    (thread,) = result["codeFlows"][0]["threadFlows"]
    places = [each["location"]["physicalLocation"]["region"] for each in thread["locations"]]
    assert [(place["startLine"], place["startColumn"]) for place in places] == [(1, 1), (2, 5), (2, 17)]
    related = result["relatedLocations"]
    assert [each["id"] for each in related] == [1, 2]
    assert [each["logicalLocations"][0]["fullyQualifiedName"] for each in related] == ["Net.forward", "helper"]


def test_fixes_without_those_that_have_a_placeholder(run: Callable[..., Any]) -> None:
    bad, _, ugly, todo = run(TEXT)["results"]
    (fix,) = bad["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "pkg/net.py"
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 2, "startColumn": 17, "endLine": 2, "endColumn": 20},
            "insertedContent": {"text": "good"},
        }
    ]
    assert "look at the result" in ugly["fixes"][0]["description"]["text"]
    assert ugly["fixes"][0]["properties"] == {"applicability": "unsafe", "risks": []}
    assert "fixes" not in todo


def test_a_fix_that_takes_the_last_line_stays_within_the_file(run: Callable[..., Any]) -> None:
    (result,) = run("x = 1\n# tslint: ignore-file[TS291]", "--select", "TS902")["results"]
    (replacement,) = result["fixes"][0]["artifactChanges"][0]["replacements"]
    assert replacement["deletedRegion"] == {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 29}


def test_fingerprints_survive_what_moves(run: Callable[..., Any]) -> None:
    def found(text: str) -> list[str]:
        return [each["partialFingerprints"]["tslint/v1"] for each in run(text)["results"]]

    before = found("x = bad\ny = ugly, bad\nif x:\n    z = bad\n    z = bad\n")
    assert len(set(before)) == 5
    after = found("# A comment, and a blank line.\n\nx = bad\ny   = ugly,  bad\nz = bad\nif x:\n        z = bad\n")
    assert after == before
    assert not {*before} & {*found("other = bad\n")}


def test_code_in_a_message_is_no_link() -> None:
    words = "`self.mods[i](x)` is"
    assert _message(words) == {"text": "`self.mods[i] (x)` is", "markdown": words}
    assert _message("plain", None) == {"text": "plain"}


def test_names_that_no_uri_can_hold(run: Callable[..., Any], tmp_path: Path) -> None:
    found = run({"a b/c:d%[ü]#?.py": "bad"})
    uri = found["artifacts"][0]["location"]["uri"]
    assert uri.isascii() and not set(uri) & set(" :[]#?")
    assert unquote(uri) == "a b/c:d%[ü]#?.py"


def test_files_outside_the_checkout_have_their_whole_address(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "net.py").write_text("bad")
    monkeypatch.chdir(tmp_path / "inside")
    result = json.loads(CliRunner().invoke(cli, ["check", "--output-format", "sarif", "../net.py"]).stdout)
    (artifact,) = result["runs"][0]["artifacts"]
    assert artifact["location"] == {"uri": (tmp_path / "net.py").as_uri()}


@pytest.mark.parametrize("variable", ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"])
def test_paths_count_from_the_checkout_also_in_a_folder_below_it(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    (tmp_path / "sub" / "pkg").mkdir(parents=True)
    (tmp_path / "sub" / "pkg" / "net.py").write_text("bad")
    monkeypatch.chdir(tmp_path / "sub")
    monkeypatch.setenv(variable, str(tmp_path))

    def said(output_format: str) -> str:
        return CliRunner().invoke(cli, ["check", "--output-format", output_format]).stdout

    assert json.loads(said("sarif"))["runs"][0]["artifacts"][0]["location"]["uri"] == "sub/pkg/net.py"
    assert json.loads(said("gitlab"))[0]["location"]["path"] == "sub/pkg/net.py"
    assert ",file=sub/pkg/net.py," in said("github")
    assert '<testsuite name="sub/pkg/net.py"' in said("junit")
    # For a person who reads the output, paths are relative to the working folder.
    assert said("concise").startswith("pkg/net.py:1:1")
    monkeypatch.setenv(variable, str(tmp_path / "elsewhere"))
    assert json.loads(said("gitlab"))[0]["location"]["path"] == "pkg/net.py"


def test_a_named_path_that_is_missing_is_told(run: Callable[..., Any]) -> None:
    (invocation,) = run("x = 1", "elsewhere.py", ".")["invocations"]
    assert not invocation["executionSuccessful"]
    assert "no such file" in invocation["toolConfigurationNotifications"][0]["message"]["text"]
    assert run("x = 1")["invocations"] == [{"executionSuccessful": True}]
