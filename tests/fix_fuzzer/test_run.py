"""Tests the fuzzer itself: a short run, the same modules for the same seed, continuing a run, and finding
wrong fixes.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import warm

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "fix_fuzzer.py"
# A rule that becomes wrong: its range begins one too high.
WRONG = """
import runpy, sys
import tslint.rewrite.reversal as rule
from tslint.rulekit.rule import safe

def wrong(message, *edits):
    from dataclasses import replace
    made = safe(message, *edits)
    edits = [replace(each, content=each.content.replace(", -1, -1", " + 1, -1, -1")) for each in made.edits]
    return replace(made, edits=tuple(edits))

rule.safe = wrong
sys.argv = [sys.argv[1], *sys.argv[2:]]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return warm.run([sys.executable, str(SCRIPT), *arguments])


class Ran(NamedTuple):
    """A run, and the file with its results."""

    done: subprocess.CompletedProcess[str]
    results: Path


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Return the run over the modules of this seed."""
    results = tmp_path_factory.mktemp("fuzzed") / "results.jsonl"
    return Ran(run("--count", "40", "--seed", "tests", "--results", str(results), "--table"), results)


@pytest.mark.slow
def test_no_fix_changes_a_module(ran: Ran) -> None:
    assert ran.done.returncode == 0, ran.done.stdout + ran.done.stderr


@pytest.mark.slow
def test_most_modules_get_a_fix_and_most_calls_return(ran: Ran) -> None:
    done = ran.done
    said = re.search(r"([\d,]+) modules \(\d+ are none\), ([\d,]+) with a fix; (\d+) % of", done.stdout)
    assert said is not None, done.stdout + done.stderr
    assert int(said[1]) >= 36
    assert int(said[2]) >= 20
    assert int(said[3]) >= 50
    assert "types/wrong_argument_type.py" in done.stdout
    before = ran.results.read_text(encoding="utf-8")
    again = run("--count", "40", "--seed", "tests", "--results", str(ran.results))
    assert ran.results.read_text(encoding="utf-8") == before
    assert again.stdout.splitlines()[0] == done.stdout.splitlines()[0]


@pytest.mark.slow
def test_a_seed_gives_the_same_modules() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import hashlib;"
        "from random_modules.modules import module;"
        "made = [module(f's:{i}') for i in range(50)];"
        "print(hashlib.sha256(repr([(each.text, each.builds, each.calls) for each in made]).encode()).hexdigest())"
    )
    hashes = {warm.run([sys.executable, "-c", code, str(SCRIPT.parent)], check=True).stdout for _ in range(2)}
    assert len(hashes) == 1 and hashes != {""}


@pytest.mark.slow
def test_a_wrong_fix_is_found(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    numbers = ["--start", "210", "--count", "10", "--seed", "down"]
    command = [sys.executable, "-c", WRONG, str(SCRIPT), *numbers, "--results", str(results)]
    done = warm.run(command)
    assert done.returncode == 1, done.stdout + done.stderr
    found = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    culprits = {tuple(each["culprits"]) for record in found for each in record.get("failures", ())}
    assert ("TS211 Write a `…` that counts down",) in culprits


@pytest.mark.slow
def test_a_guard_that_is_taken_out_is_missed() -> None:
    done = run("--count", "25", "--seed", "g4", "--guards", "in range", "as many modules")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split("|") for line in done.stdout.splitlines()[2:]]
    assert [row[1].strip() for row in rows] == ["in range", "as many modules"]
    assert all(int(row[3]) <= 25 and "changed " in row[4] for row in rows)
