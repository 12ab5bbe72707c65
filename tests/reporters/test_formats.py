"""Tests the output of each format for the same findings."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tslint.cli import cli

pytestmark = pytest.mark.usefixtures("toy_rules")
TEXT = """\
class Net:
    name = "漢", bad

    def f():
        try:
            ugly
        finally:
            todo
"""


@pytest.fixture
def report(folder: Callable[..., Path]) -> Callable[..., str]:
    """Return the output of a check of one file."""

    def run(output_format: str, *arguments: str, text: str = TEXT) -> str:
        folder({"pkg/net.py": text})
        return CliRunner().invoke(cli, ["check", "--output-format", output_format, *arguments]).stdout

    return run


def test_full(report: Callable[..., str]) -> None:
    expected = """\
TS291 toy-bad [*]: `bad` is a toy
 --> pkg/net.py:2:17
  |
1 | class Net:
2 |     name = "漢", bad
  |                  ^^^
  |
  = compiled via: Net.forward → helper
      Net.forward  pkg/net.py:1:1
      helper       pkg/net.py:2:5
  = TorchScript says: "Toys are not supported"
  = help: Do it otherwise.
  = fix: Write `good` (--fix)

TS191 toy-try: `try` cannot be compiled
 --> pkg/net.py:5:9
  |
4 |     def f():
5 |         try:
  |         ^^^^…
6 |             ugly
  |
  = compiled via: Net.forward → helper
      Net.forward  pkg/net.py:1:1
      helper       pkg/net.py:2:5
  = TorchScript says: "Toys are not supported"
  = help: Do it otherwise.

TS292 toy-ugly (warning): `ugly` is a toy
 --> pkg/net.py:6:13
  |
5 |         try:
6 |             ugly
  |             ^^^^
7 |         finally:
  |
  = compiled via: Net.forward → helper
      Net.forward  pkg/net.py:1:1
      helper       pkg/net.py:2:5
  = TorchScript says: "Toys are not supported"
  = help: Do it otherwise.
  = fix: Write `pretty` (waits for TS191 at line 5; then --fix --unsafe-fixes; look at the result)

TS191 toy-try: `todo` is a toy
 --> pkg/net.py:8:13
  |
7 |         finally:
8 |             todo
  |             ^^^^
  |
  = compiled via: Net.forward → helper
      Net.forward  pkg/net.py:1:1
      helper       pkg/net.py:2:5
  = TorchScript says: "Toys are not supported"
  = help: Do it otherwise.
  = fix: Write `...` (never applied by --fix: you must finish it, or decide whether it is right)

Found 3 errors and 1 warning in 1 file; up to 1 fixable with `--fix`.
"""
    assert report("full") == expected


@pytest.mark.parametrize(
    ("line", "shown", "caret"),
    [
        ("\tx, bad", "2 |     x, bad", "  |        ^^^"),
        ("\tx,\tbad", "2 |     x,  bad", "  |         ^^^"),
        ("\f    e\u0301, bad", "2 | �    e\u0301, bad", "  |         ^^^"),
        ("    '\x1b[31m', bad", "2 |     '�[31m', bad", "  |              ^^^"),
    ],
)
def test_the_underline_stands_under_the_name(report: Callable[..., str], line: str, shown: str, caret: str) -> None:
    lines = report("full", text=f"if 1:\n{line}\n").splitlines()
    assert caret == lines[lines.index(shown) + 1]


def test_a_line_of_ten_thousand_columns(report: Callable[..., str]) -> None:
    text = report("full", text=f"x = [{'1, ' * 3000}bad, {'2, ' * 3000}]\n")
    assert max(map(len, text.splitlines())) < 200
    above, caret = next(pair for pair in zip(text.splitlines(), text.splitlines()[1:]) if "^" in pair[1])
    assert above[caret.index("^") :].startswith("bad")


def test_concise(report: Callable[..., str]) -> None:
    assert report("concise").splitlines()[:2] == [
        "pkg/net.py:2:17: TS291 [*] `bad` is a toy",
        "pkg/net.py:5:9: TS191 `try` cannot be compiled",
    ]


def test_grouped(report: Callable[..., str]) -> None:
    assert report("grouped").splitlines()[:3] == [
        "pkg/net.py:",
        "  2:17  TS291 toy-bad [*]: `bad` is a toy",
        "  5:9   TS191 toy-try: `try` cannot be compiled",
    ]


def test_json_is_the_contract(report: Callable[..., str], tmp_path: Path) -> None:
    found = json.loads(report("json"))
    filename = str(tmp_path / "pkg" / "net.py")
    assert [each["code"] for each in found] == ["TS291", "TS191", "TS292", "TS191"]
    assert found[0] == {
        "code": "TS291",
        "name": "toy-bad",
        "severity": "error",
        "stage": "script",
        "message": "`bad` is a toy",
        "filename": filename,
        "location": {"row": 2, "column": 17},
        "end_location": {"row": 2, "column": 20},
        "compiled_via": [
            {"name": "Net.forward", "filename": filename, "location": {"row": 1, "column": 1}},
            {"name": "helper", "filename": filename, "location": {"row": 2, "column": 5}},
        ],
        "url": found[0]["url"],
        "help": "Do it otherwise.",
        "compiler": "Toys are not supported",
        "fix": {
            "applicability": "safe",
            "message": "Write `good`",
            "risks": [],
            "edits": [
                {"location": {"row": 2, "column": 17}, "end_location": {"row": 2, "column": 20}, "content": "good"}
            ],
        },
    }
    assert found[0]["url"].startswith("https://")
    assert found[1]["fix"] is None


def test_json_of_nothing_is_an_empty_array(report: Callable[..., str]) -> None:
    assert report("json", text="") == "[]\n"
    assert report("json-lines", text="") == ""


def test_json_lines(report: Callable[..., str]) -> None:
    lines = report("json-lines").splitlines()
    assert [json.loads(line) for line in lines] == json.loads(report("json"))


def test_github(report: Callable[..., str]) -> None:
    lines = report("github").splitlines()
    assert lines[0] == (
        "::error title=tslint%3A TS291 toy-bad,file=pkg/net.py,line=2,endLine=2,col=17,endColumn=20"
        "::pkg/net.py:2:17: TS291 `bad` is a toy%0ADo it otherwise."
    )
    # GitHub would reject columns in a range of several lines.
    assert "line=5,endLine=8::" in lines[1]
    assert lines[2].startswith("::warning ")


def test_github_escapes(folder: Callable[..., Path]) -> None:
    folder({"50%,a:b\n::error::c.py": "bad"})
    text = CliRunner().invoke(cli, ["check", "--output-format", "github"]).stdout
    assert "file=50%25%2Ca%3Ab%0A%3A%3Aerror%3A%3Ac.py," in text
    assert "::50%25,a:b�::error::c.py:1:1: TS291 `bad`" in text
    assert len(text.splitlines()) == 1


def test_statistics(report: Callable[..., str]) -> None:
    assert report("full", "--statistics").splitlines()[:3] == [
        "2  TS191  [ ]  toy-try",
        "1  TS291  [*]  toy-bad",
        "1  TS292  [ ]  toy-ugly",
    ]
    assert json.loads(report("json", "--statistics"))[0] == {
        "code": "TS191", "name": "toy-try", "count": 2, "fixable": False, "fixable_count": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("", "All checks passed!"),
        ("bad", "Found 1 error in 1 file; 1 fixable with `--fix`."),
        ("ugly", "Found 1 warning in 1 file; 1 fixable with `--fix --unsafe-fixes`."),
        ("todo, todo", "Found 2 errors in 1 file."),
    ],
)
def test_the_last_line_counts(report: Callable[..., str], text: str, last: str) -> None:
    for output_format in ("full", "concise", "grouped"):
        assert report(output_format, text=text).splitlines()[-1] == last


def test_paths_outside_the_working_folder_are_absolute(
    folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = folder({"a/net.py": "bad", "b/x": ""})
    monkeypatch.chdir(root / "b")
    text = CliRunner().invoke(cli, ["check", "../a", "--output-format", "concise"]).stdout
    assert text.startswith(f"{root}/a/net.py:1:1: TS291")
