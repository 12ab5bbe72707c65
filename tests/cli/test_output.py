"""Tests where the report and other output go: files, colours, quiet mode."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tslint.cli import cli
from tslint.config import OUTPUT_FORMATS

pytestmark = pytest.mark.usefixtures("toy_rules")


def check(*arguments: str, **environ: str) -> Result:
    return CliRunner(env=environ).invoke(cli, ["check", *arguments])


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("reports/net.json", "the report cannot be written: there is no folder reports; create it first"),
        ("net.py/net.json", "the report cannot be written: net.py is not a folder"),
        ("pkg", "the report cannot be written there: it is a folder; name a file in it"),
    ],
)
def test_a_file_that_cannot_be_written_is_told_before_the_run(
    folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, file: str, message: str
) -> None:
    root = folder({"net.py": "bad", "pkg/__init__.py": ""})
    monkeypatch.setattr("tslint.lint.engine.raw_findings", lambda *_, **__: pytest.fail("it ran"))
    result = check("-o", file)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"error: {file}: {message}\n")
    assert sorted(each.name for each in root.iterdir()) == ["net.py", "pkg"]


def test_a_report_takes_the_place_of_the_last_one(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "bad", "deep/old.json": "old and longer than the new one " * 1000})
    (root / "deep" / "old.json").chmod(0o640)
    (root / "link.json").symlink_to("deep/old.json")
    before = os.umask(0o022)
    try:
        for name in ("link.json", "new.json"):
            assert check("--output-format", "json", "-o", name).exit_code == 1
    finally:
        os.umask(before)
    assert (root / "link.json").is_symlink()
    assert [each["code"] for each in json.loads((root / "deep" / "old.json").read_text())] == ["TS291"]
    assert (root / "deep" / "old.json").stat().st_mode & 0o777 == 0o640
    assert (root / "new.json").stat().st_mode & 0o777 == 0o644


def test_the_last_report_stays_where_the_new_one_cannot_be_written(
    folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = folder({"net.py": "bad", "report.txt": "old"})

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    result = check("-o", "report.txt")
    assert result.exit_code == 2
    assert result.stderr == "error: report.txt: the report cannot be written: No space left on device\n"
    assert (root / "report.txt").read_text() == "old"
    assert sorted(each.name for each in root.iterdir()) == ["net.py", "report.txt"]


def test_a_device_stays_a_device(folder: Callable[..., Path]) -> None:
    folder({"net.py": "bad"})
    assert check("-o", os.devnull).exit_code == 1
    assert not Path(os.devnull).is_file()


def test_a_report_in_a_file_has_colours_only_where_that_is_said(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "bad"})
    check("-o", "report.txt", FORCE_COLOR="1")
    assert "\x1b" not in (root / "report.txt").read_text()
    check("-o", "report.txt", "--color", "always")
    assert "\x1b" in (root / "report.txt").read_text()


@pytest.mark.parametrize(("value", "colored"), [("1", True), ("true", True), ("0", False), ("", False)])
def test_force_color(folder: Callable[..., Path], value: str, colored: bool) -> None:
    folder({"net.py": "bad"})
    result = check("--output-format", "concise", NO_COLOR="", FORCE_COLOR=value)
    assert ("\x1b[" in result.stdout_bytes.decode()) is colored


@pytest.mark.parametrize("output_format", sorted({*OUTPUT_FORMATS} - {"full", "concise", "grouped"}))
def test_machines_see_no_colours(folder: Callable[..., Path], output_format: str) -> None:
    folder({"net.py": "bad, ugly"})
    assert b"\x1b" not in check("--output-format", output_format, "--color", "always").stdout_bytes


def test_quiet_shows_the_findings_and_nothing_else(folder: Callable[..., Path]) -> None:
    folder({"net.py": "bad\nugly\n", "clean.py": ""})
    found = "net.py:1:1: TS291 [*] `bad` is a toy\nnet.py:2:1: TS292 `ugly` is a toy\n"

    def said(*arguments: str) -> tuple[int, str, str]:
        result = check("--output-format", "concise", *arguments)
        return result.exit_code, result.stdout, result.stderr

    assert said("-q") == said("--quiet") == (1, found, "")
    assert said("-q", "clean.py") == (0, "", "")
    assert said("-q", "elsewhere.py", "clean.py") == (2, "", "error: elsewhere.py: no such file or folder\n")
    assert [line.split()[-1] for line in said("-q", "--statistics")[1].splitlines()] == ["toy-bad", "toy-ugly"]
    status, diff, notes = said("-q", "--diff")
    assert (status, diff.splitlines()[-3:], notes) == (1, ["-bad", "+good", " ugly"], "")
    assert said("-q", "--fix") == (0, "net.py:2:1: TS292 `ugly` is a toy\n", "")


def test_quiet_hides_the_note_about_no_files(folder: Callable[..., Path]) -> None:
    folder({"readme.txt": ""})
    result = check("-q")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("output_format", ["github", "gitlab", "sarif", "junit"])
def test_statistics_exclude_formats_that_list_findings(folder: Callable[..., Path], output_format: str) -> None:
    folder({"net.py": "bad"})
    result = check("--statistics", "--output-format", output_format)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: --statistics has no {output_format} form: use full, json or json-lines")
