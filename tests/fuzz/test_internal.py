"""Tests that an internal failure in a file is reported as one finding there, with a bug report, and that the run
continues.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest
from click.testing import CliRunner, Result

import tslint.rulekit.registry
from tslint import __version__
from tslint.cli import cli
from tslint.lint.internal import condensed, internal_error
from tslint.rulekit.match import Match
from tslint.rulekit.registry import RegisteredRule

SECRET = "customer_churn"
FILE = f"""\
import torch


@torch.jit.script
def {SECRET}(x):
    {{}}
    return +x
"""


class Boom(Exception):
    """An exception whose message reveals the user's code, as a KeyError would."""


def fails(*args: object, **options: object) -> NoReturn:
    raise Boom(f"{SECRET}\n{SECRET}" + "!" * 1000)


def check(*options: str) -> Result:
    return CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", *options])


@pytest.fixture
def files(folder: Callable[..., Path]) -> Path:
    return folder({"a.py": FILE.format("pass"), "b.py": FILE.format("y: 'List[' = x"), "c.py": "import torch\n"})


def found(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 1, result.output
    parsed: list[dict[str, Any]] = json.loads(result.stdout)
    return parsed


def test_a_rule_that_raises_is_one_finding(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = {kind: list(rules) for kind, rules in tslint.rulekit.registry.rules_by_event().items()}
    rule = next(each for rules in table.values() for each in rules if each.rule.name == "unary-plus")

    def raising(match: Match) -> Any:
        if match.event.unit is not None and match.event.unit.function.module.source.path.name == "a.py":
            fails()
        return rule.check(match)

    changed: RegisteredRule = replace(rule, check=raising)
    broken = {kind: tuple(changed if each is rule else each for each in rules) for kind, rules in table.items()}
    monkeypatch.setattr(tslint.rulekit.registry, "rules_by_event", lambda: broken)
    by_file: dict[str, list[str]] = {}
    for each in found(check("--output-format", "json")):
        by_file.setdefault(Path(each["filename"]).name, []).append(each["code"])
    assert by_file["a.py"] == ["TS900"]
    assert "TS122" in by_file["b.py"] and "TS900" not in by_file["b.py"]


@pytest.mark.parametrize(
    "place",
    [
        "tslint.script.model.Model.analyse",
        "tslint.script.tracing.tracing_events",
        "tslint.script.traced.only_traced",
        "tslint.rulekit.code.FileCode.__init__",
        "tslint.lint.suppress.suppress",
    ],
)
def test_whatever_fails_is_one_finding_of_each_file(files: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.setattr(place, fails)
    codes = [(Path(each["filename"]).name, each["code"]) for each in found(check("--output-format", "json"))]
    failures = [name for name, code in codes if code == "TS900"]
    assert failures and len(failures) == len(set(failures))
    text = check()
    assert text.stdout.count("TS900") == len(failures) and "Traceback" not in text.output


def test_the_report_to_paste_holds_no_code(files: Path) -> None:
    try:
        fails()
    except Boom as error:
        finding = internal_error(files / "a.py", error)
        report = condensed(error)
    assert "\n" not in finding.message and len(finding.message) < 300
    assert finding.help is not None and report in finding.help
    assert SECRET not in report and str(files) not in report
    for part in (f"tslint {__version__}", "libcst ", "Python 3.", sys.platform, "Boom at tests/fuzz/test_internal.py:"):
        assert part in report


def test_a_recursion_is_condensed() -> None:
    def down(depth: int) -> int:
        return down(depth + 1) + 1

    try:
        down(0)
    except RecursionError as error:
        report = condensed(error)
    assert " times)" in report and len(report) < 600


def test_a_failure_without_words_or_traceback_can_be_told() -> None:
    finding = internal_error(Path("a.py"), MemoryError())
    assert finding.message == "tslint failed on this file: MemoryError"
    assert condensed(MemoryError()).endswith("MemoryError at an unknown place")
