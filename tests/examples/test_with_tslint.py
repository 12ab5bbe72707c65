"""Tests that tslint reports every mistake of the examples in one run, at its line, and nothing in the fixed
versions.
"""

from __future__ import annotations

import io
import json
import sys
import tokenize
from pathlib import Path
from typing import Any

import pytest

from tests import warm

ROOT = Path(__file__).parents[2]


def tslint(*arguments: str) -> tuple[int, Any]:
    command = [sys.executable, "-m", "tslint", *arguments, "--output-format", "json"]
    done = warm.run(command, cwd=ROOT)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def commented_rows(path: str) -> set[int]:
    """Return the rows with a comment after code, which mark the mistakes of the examples."""
    text = (ROOT / path).read_text(encoding="utf-8")
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {token.start[0] for token in tokens if token.type == tokenize.COMMENT and token.line.lstrip()[0] != "#"}


# Lines that the compiler would reject, too, because of a mistake before them.
CONSEQUENCES = {"x = self.activation(x)", "x = self.mask(x + self.up(y, steps).transpose(1, 2), lengths)"}


def test_every_mistake_of_the_speech_example_is_found_at_its_line() -> None:
    path = "examples/speech/before.py"
    status, findings = tslint("check", path, "--no-cache")
    assert status == 1
    found = {finding["location"]["row"] for finding in findings}
    mistakes = commented_rows(path)
    assert len(mistakes) == 12
    assert mistakes <= found
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    assert {lines[row - 1].strip() for row in found - mistakes} <= CONSEQUENCES


def test_what_script_rejects_in_the_tutorial_is_found() -> None:
    path = "examples/tutorial/before.py"
    status, findings = tslint("check", path, "--no-cache")
    assert status == 1
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    found = [lines[finding["location"]["row"] - 1].partition("#")[0].strip() for finding in findings]
    assert "y, h = self.cell(xs[0])" in found
    assert "self.last = h" in found
    assert {finding["location"]["row"] for finding in findings} <= commented_rows(path)


@pytest.mark.parametrize("example", ["speech", "tutorial"])
def test_nothing_is_found_in_the_mended_form(example: str) -> None:
    assert tslint("check", f"examples/{example}/after.py", "--no-cache") == (0, [])


@pytest.mark.slow
@pytest.mark.parametrize("example", ["speech", "tutorial"])
@pytest.mark.parametrize(("form", "status", "verdict"), [("after", 0, "pass"), ("before", 1, "fail")])
def test_verify_agrees(example: str, form: str, status: int, verdict: str) -> None:
    target = f"examples/{example}/{form}.py:build"
    code, said = tslint("verify", target, "--timeout", "300")
    assert (code, said["targets"][0]["verdict"]) == (status, verdict), said
