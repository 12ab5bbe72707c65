"""Tests the pipeline from paths to one sorted report: suppression, selection, unused suppressions, and the
Python API.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tslint
from tslint.config import ConfigError, Settings
from tslint.lint.engine import judge, load

pytestmark = pytest.mark.usefixtures("toy_rules")


@pytest.fixture
def codes(folder: Callable[..., Path]) -> Callable[..., list[str]]:
    """Return ``row:code`` of every finding in a text with some settings."""

    def run(text: str, **settings: Any) -> list[str]:
        root = folder({"pkg/net.py": text})
        configured = replace(Settings(root=root), **settings)
        report = judge(load([root], configured), configured)
        return [f"{each.start.row}:{each.code}" for each in report.diagnostics]

    return run


def test_sorted_by_file_place_and_code(folder: Callable[..., Path]) -> None:
    root = folder({"b.py": "x = bad", "a.py": "y = 1\nx = ugly, bad", "c.py": b"\0"})
    settings = Settings(root=root)
    found = judge(load([root / "c.py", root / "b.py", root], settings), settings).diagnostics
    assert [(Path(each.filename).name, each.start.row, each.code) for each in found] == [
        ("a.py", 2, "TS292"),
        ("a.py", 2, "TS291"),
        ("b.py", 1, "TS291"),
        ("c.py", 1, "TS901"),
    ]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, ["TS191", "TS291", "TS292"]),
        ({"select": ("TS2",)}, ["TS291", "TS292", "TS293", "TS294"]),
        ({"select": ("toy-bad", "TS191")}, ["TS191", "TS291"]),
        ({"ignore": ("TS29",)}, ["TS191"]),
        ({"select": ("TS291",), "ignore": ("TS2",)}, ["TS291"]),
        ({"select": ("TS291",), "ignore": ("TS291",)}, []),
        ({"select": ("TS",), "ignore": ("toy-try",)}, ["TS291", "TS292"]),
        # Rules that are off by default, and remarks: selected by name, by their family, or by ALL.
        ({"select": ("TS293",)}, ["TS293"]),
        ({"select": ("TS", "toy-remark")}, ["TS191", "TS291", "TS292", "TS294"]),
        ({"select": ("TS29",)}, ["TS291", "TS292", "TS293", "TS294"]),
        ({"select": ("TS", "TS2")}, ["TS191", "TS291", "TS292", "TS293", "TS294"]),
        ({"select": ("ALL",)}, ["TS191", "TS291", "TS292", "TS293", "TS294"]),
        ({"select": ("ALL",), "ignore": ("TS29",)}, ["TS191"]),
        ({"select": ("TS29",), "ignore": ("ALL",)}, ["TS291", "TS292", "TS293", "TS294"]),
        ({"select": ("TS2",), "ignore": ("TS294",)}, ["TS291", "TS292", "TS293"]),
        ({"per_file_ignores": {"pkg/*": ("TS2",)}}, ["TS191"]),
        ({"per_file_ignores": {"net.py": ("toy-try",)}}, ["TS291", "TS292"]),
        ({"per_file_ignores": {"/net.py": ("TS",)}}, ["TS191", "TS291", "TS292"]),
        ({"per_file_ignores": {"!tests/*": ("TS",)}}, []),
        ({"per_file_ignores": {"net.py": ("ALL",)}}, []),
    ],
)
def test_selection(codes: Callable[..., list[str]], settings: dict[str, Any], expected: list[str]) -> None:
    text = "try: bad, ugly, shy, remark\nfinally: pass\n"
    assert sorted(each.partition(":")[2] for each in codes(text, **settings)) == expected


def test_a_syntax_error_is_shown_unless_it_is_ignored(codes: Callable[..., list[str]]) -> None:
    assert codes("def f(:", select=("TS1",)) == ["1:TS901"]
    assert codes("def f(:", ignore=("TS901",)) == []
    assert codes("def f(:", ignore=("TS9",)) == []


@pytest.mark.parametrize("key", ["select", "ignore", "per_file_ignores"])
def test_unknown_rules_are_errors(codes: Callable[..., list[str]], key: str) -> None:
    value = {"*": ("TS9O2",)} if key == "per_file_ignores" else ("TS9O2",)
    with pytest.raises(ConfigError, match=r"unknown rule 'TS9O2'; did you mean 'TS902'\?"):
        codes("", **{key: value})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = bad  # tslint: ignore[TS291]\n", []),
        ("x = bad  # tslint: ignore[toy-bad]\n", []),
        ("x = bad  # tslint: ignore[TS2]\n", []),
        ("x = bad  # tslint: ignore\n", []),
        ("x = (\n    bad\n)  # tslint: ignore[TS291]\n", []),
        ("# tslint: ignore-file[TS291]\nx = bad\ny = bad\n", []),
        ("# tslint: off\nx = bad, ugly\n# tslint: on\ny = bad\n", ["4:TS291"]),
        ("# tslint: off[TS291]\nx = bad, ugly\n", ["2:TS292"]),
        ("x = bad, ugly  # tslint: ignore[TS291]\n", ["1:TS292"]),
        ('x = bad, "# tslint: ignore"\n', ["1:TS291"]),
        ("x = bad  # tslint: ignore[TS292]\n", ["1:TS291", "1:TS902"]),
        ("# tslint: ignore[TS291]\nx = bad\n", ["1:TS902", "2:TS291"]),
        ("x = 1  # tslint: ignore\n", ["1:TS902"]),
        ("x = 1  # tslint: ignore[]\n", ["1:TS902"]),
        ("# tslint: on\n", ["1:TS902"]),
        ("# tslint: ignore-file[TS902]\nx = 1  # tslint: ignore[TS291]\n", []),
        # Findings that only verify reports, and files that could not be checked.
        ("x = 1  # tslint: ignore[TS903]\n", []),
        ("# tslint: ignore-file[TS291]\ndef f(:\n", ["2:TS901"]),
        ("# tslint: ignore-file[TS901]\ndef f(:\n", []),
        # A suppression of a rule that is not shown anyway is not unused.
        ("x = shy, remark  # tslint: ignore[TS293, TS294]\n", []),
    ],
)
def test_suppression(codes: Callable[..., list[str]], text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_unused_is_judged_by_what_the_mode_finds(codes: Callable[..., list[str]]) -> None:
    text = "x = 1  # tslint: ignore[TS791]\ny = 1  # tslint: ignore[TS291]\nz = 1  # tslint: ignore\n"
    assert codes(text) == ["1:TS902", "2:TS902", "3:TS902"]
    assert codes(text, mode="script") == ["2:TS902"]
    assert codes(text, mode="trace") == ["1:TS902"]


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# tslint: ignore[TS291]", "`tslint: ignore` of `TS291` suppresses nothing"),
        ("# tslint: ignore-file", "`tslint: ignore-file` suppresses nothing"),
        ("# tslint: ignore[toy-bd]", "unknown rule 'toy-bd' in a suppression; did you mean 'toy-bad'?"),
        ("# tslint: ignored[TS291]", "`tslint: ignored` is not a suppression; did you mean 'ignore'?"),
    ],
)
def test_the_message_about_an_unused_suppression(folder: Callable[..., Path], comment: str, message: str) -> None:
    root = folder({"net.py": f"x = 1  # noqa {comment}\n"})
    [found] = judge(load([root], Settings(root=root)), Settings(root=root)).diagnostics
    assert (found.message, found.severity.value) == (message, "warning")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1  # tslint: ignore[TS291]\n", "x = 1\n"),
        ("x = 1\t# tslint: ignore[TS291] for now  ", "x = 1"),
        ("x = 1  # noqa # tslint: ignore[TS291]\n", "x = 1  # noqa\n"),
        ("x = 1  # tslint: ignore[TS291]  # noqa\n", "x = 1  # noqa\n"),
        ("a\n    # tslint: ignore-file\nx = 1\n", "a\nx = 1\n"),
        ("x = ugly  # tslint: ignore[TS291, TS292, TS191]\n", "x = ugly  # tslint: ignore[TS292]\n"),
        ("x = 1  # tslint: ignore[TS291, no-such]\n", "x = 1  # tslint: ignore[no-such]\n"),
        ("# tslint: off\nx = 1\n# tslint: on\n", "x = 1\n"),
        ("x = 1  # tslint: ignore[TS903]\n", "x = 1  # tslint: ignore[TS903]\n"),
    ],
)
def test_the_fix_removes_what_is_unused(folder: Callable[..., Path], before: str, after: str) -> None:
    from tslint.fixing.rounds import fix
    from tslint.lint.engine import load
    from tslint.lint.incremental import Judge

    root = folder({"net.py": before})
    settings = Settings(root=root)
    outcome = fix(load([root], settings), Judge(settings), unsafe=False)
    assert outcome.report.sources[str(root / "net.py")].text == after


def test_python_api(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "x = bad, ugly\n", "pyproject.toml": '[tool.tslint]\nignore = ["TS292"]\n'})
    assert [each.code for each in tslint.check([root])] == ["TS291"]
    assert [each.code for each in tslint.check("net.py", isolated=True)] == ["TS291", "TS292"]
    with pytest.raises(FileNotFoundError, match=r"nothing\.py: no such file"):
        tslint.check(["net.py", "nothing.py"])


def test_importing_is_instant() -> None:
    heavy = "libcst torch click pathspec tslint.rulekit.rule tslint.config argparse"
    code = f"import sys, tslint; print([name for name in {heavy.split()} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
