"""Tests that the rules in the table of hazards find them, and that the table matches the cases."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tslint
from scripts.generate_hazards import PAGE, page
from tests.hazards.cases import COMPILE, HAZARDS, Hazard
from tests.rules.compiler import the_compiler

FOUND = [hazard for hazard in HAZARDS if hazard.rules]
COMPILED = [hazard for hazard in HAZARDS if hazard.where == COMPILE]


def number(hazard: Hazard) -> str:
    return f"row{hazard.number:02}"


@pytest.mark.parametrize("hazard", FOUND, ids=map(number, FOUND))
def test_the_rules_find_the_hazard(hazard: Hazard, tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text(hazard.text, encoding="utf-8")
    found = {finding.name for finding in tslint.check(path, isolated=True)}
    assert set(hazard.rules) <= found


@pytest.mark.parametrize("hazard", COMPILED, ids=map(number, COMPILED))
def test_the_compiler_refuses_what_is_said_to_fail_in_the_stage_script(hazard: Hazard) -> None:
    assert hazard.stage == "script"
    verdict = the_compiler()(hazard.text)
    assert not verdict.ok
    assert not verdict.message.startswith("import:"), verdict.message


def test_the_rows_are_complete() -> None:
    assert [hazard.number for hazard in HAZARDS] == list(range(1, 57))
    assert all(hazard.rules or hazard.stage for hazard in HAZARDS)


def test_the_table_is_up_to_date() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == page(), "run scripts/generate_hazards.py"
    assert len(re.findall(r"^\| \d+ \|", text, re.MULTILINE)) == len(HAZARDS)
