"""The fuzzer itself: a short run, the same modules for the same seed, going on where it was, and wrong fixes found."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.kept import kept

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "fix_fuzzer.py"
# A rule that becomes wrong: counting down begins one too high, and ends there.
WRONG = """
import runpy, sys
import tslint.rules.names.unsupported_builtin as rule
from tslint.rule import safe

def wrong(message, *edits):
    from dataclasses import replace
    return safe(message, *(replace(each, content=each.content.replace("- 1, ", ", ")) for each in edits))

rule.safe = wrong
sys.argv = [sys.argv[1], *sys.argv[2:]]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def run(*arguments: str, wrong: bool = False) -> subprocess.CompletedProcess[str]:
    program = ["-c", WRONG] if wrong else []
    return subprocess.run([sys.executable, *program, str(SCRIPT), *arguments], capture_output=True, text=True)


def known(seed: str, count: int, folder: Path, *, wrong: bool = False) -> Path:
    """Results in which the script finds what torch made of modules that it had to judge; what is fixed in another way
    than it was then, it judges anew."""
    modules = [path.read_text(encoding="utf-8") for path in sorted((SCRIPT.parent / "random_modules").glob("*.py"))]
    digest = hashlib.sha256("".join([WRONG * wrong, *modules]).encode()).hexdigest()
    new = folder / "new.jsonl"

    def ask(name: str) -> object:
        if not new.exists():
            run("--count", str(count), "--seed", seed, "--results", str(new), wrong=wrong)
        found = [json.loads(line) for line in new.read_text(encoding="utf-8").splitlines()]
        # Without the version of tslint, so that it is not believed without having fixed the module.
        (record,) = ({**each, "version": ""} for each in found if each["seed"] == name)
        return record

    names = [f"{seed}:{i}" for i in range(count)]
    records = [kept("fix_fuzzer", [digest, name], partial(ask, name)) for name in names]
    results = folder / "results.jsonl"
    results.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return results


@pytest.mark.slow
def test_no_fix_changes_a_module(tmp_path: Path) -> None:
    done = run("--count", "60", "--seed", "tests", "--results", str(known("tests", 60, tmp_path)))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_most_modules_get_a_fix_and_most_calls_return(tmp_path: Path) -> None:
    results = known("tests", 60, tmp_path)
    done = run("--count", "40", "--seed", "tests", "--results", str(results), "--table")
    said = re.search(r"([\d,]+) modules \(\d+ are none\), ([\d,]+) with a fix; (\d+) % of", done.stdout)
    assert said is not None, done.stdout + done.stderr
    assert int(said[1]) >= 36
    assert int(said[2]) >= 20
    assert int(said[3]) >= 50
    assert "types/wrong_argument_type.py" in done.stdout
    before = results.read_text(encoding="utf-8")
    again = run("--count", "40", "--seed", "tests", "--results", str(results))
    assert results.read_text(encoding="utf-8") == before
    assert again.stdout.splitlines()[0] == done.stdout.splitlines()[0]


@pytest.mark.slow
def test_a_seed_gives_the_same_modules() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import hashlib;"
        "from random_modules.modules import module;"
        "made = [module(f's:{i}') for i in range(50)];"
        "print(hashlib.sha256(repr([(each.text, each.builds, each.calls) for each in made]).encode()).hexdigest())"
    )
    hashes = {
        subprocess.run(
            [sys.executable, "-c", code, str(SCRIPT.parent)], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    }
    assert len(hashes) == 1 and hashes != {""}


@pytest.mark.slow
def test_a_wrong_fix_is_found(tmp_path: Path) -> None:
    results = known("down", 100, tmp_path, wrong=True)
    done = run("--count", "100", "--seed", "down", "--results", str(results), wrong=True)
    assert done.returncode == 1, done.stdout + done.stderr
    found = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()][100:]
    assert len(found) == 100
    culprits = {tuple(each["culprits"]) for record in found for each in record.get("failures", ())}
    assert ("TS211 Count down",) in culprits


@pytest.mark.slow
def test_a_guard_that_is_taken_out_is_missed() -> None:
    done = run("--count", "25", "--seed", "guards", "--guards", "truth", "only handed on")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split("|") for line in done.stdout.splitlines()[2:]]
    assert [row[1].strip() for row in rows] == ["truth", "only handed on"]
    assert all(int(row[3]) <= 25 and "changed result" in row[4] for row in rows)
