"""Tests ``--statistics``: how often each rule was found, and how many findings can be fixed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tslint.cli import cli

pytestmark = pytest.mark.usefixtures("toy_rules")


def statistics(*arguments: str) -> str:
    return CliRunner().invoke(cli, ["check", "--statistics", *arguments]).stdout


def test_all_some_and_none_fixable(folder: Callable[..., Path]) -> None:

    folder({"net.py": "ugly\nbad\nbad\n", "other.py": "todo\n"})
    assert statistics() == (
        "2  TS291  [*]  toy-bad\n"
        "1  TS191  [ ]  toy-try\n"
        "1  TS292  [ ]  toy-ugly\n"
        "Found 3 errors and 1 warning in 2 files; 2 fixable with `--fix`, 1 more with `--fix --unsafe-fixes`.\n"
    )
    assert "TS292  [*]  toy-ugly" in statistics("--unsafe-fixes")


def test_no_column_of_marks_where_nothing_can_be_fixed(folder: Callable[..., Path]) -> None:
    folder({"net.py": "todo\n"})
    assert statistics().splitlines()[0] == "1  TS191  toy-try"


@pytest.mark.parametrize("output_format", ["json", "json-lines"])
def test_objects(folder: Callable[..., Path], output_format: str) -> None:
    folder({"net.py": "todo\nbad\nbad\n"})
    text = statistics("--output-format", output_format)
    objects = json.loads(text) if output_format == "json" else [json.loads(line) for line in text.splitlines()]
    assert objects == [
        {"code": "TS291", "name": "toy-bad", "count": 2, "fixable": True, "fixable_count": 2},
        {"code": "TS191", "name": "toy-try", "count": 1, "fixable": False, "fixable_count": 0},
    ]


def test_nothing_found(folder: Callable[..., Path]) -> None:
    folder({"net.py": "x = 1\n"})
    assert statistics() == "All checks passed!\n"
    assert statistics("--output-format", "json") == "[]\n"
