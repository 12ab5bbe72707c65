"""Tests that CONTRIBUTING.md is right: its rule is found, reports, fixes, and passes the tests of all rules."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.support import ROOT, clean_environ
from tslint.diagnostics import Risk

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
(RULE,) = re.findall(r"^````python\n(.*?)^````$", PAGE, re.MULTILINE | re.DOTALL)
(PLACE,) = set(re.findall(r"`(rules/\w+/\w+\.py)`", PAGE))
(EXERCISE,) = re.findall(r"^```console\n(sed .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
BAD, GOOD = re.findall(r"^```python\n(.*?)^```$", RULE, re.MULTILINE | re.DOTALL)


def python(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environ = {**clean_environ(), "PYTHONPATH": str(copy)}
    return subprocess.run([sys.executable, *arguments], cwd=copy, capture_output=True, text=True, env=environ)


def tree(folder: Path) -> Path:
    """Create a tree from which tslint can be imported, with ``rules/`` as it is installed and as it is in
    the sources.
    """
    # Including the files that tests/conftest.py has compiled.
    shutil.copytree(ROOT / "tslint", folder / "tslint")
    shutil.copytree(ROOT / "rules", folder / "tslint" / "rules")
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, folder)
    (folder / "rules").symlink_to(folder / "tslint" / "rules")
    assert not (folder / PLACE).exists(), "the page shows a rule of its own"
    return folder


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a tree with the rule of the page in it."""
    folder = tree(tmp_path_factory.mktemp("contributing") / "copy")
    (folder / PLACE).write_text(RULE, encoding="utf-8")
    return folder


def test_the_rule_registers_itself(copy: Path) -> None:
    done = python(copy, "-m", "tslint", "rule", "plus-sign")
    assert done.returncode == 0, done.stderr
    assert "Plus sign before a value" in done.stdout


def test_the_rule_reports_and_fixes(copy: Path) -> None:
    (copy / "some_module.py").write_text(BAD)
    check = ("-m", "tslint", "check", "--select", "plus-sign", "some_module.py")
    done = python(copy, *check, "--output-format", "json")
    assert done.returncode == 1, done.stderr
    (finding,) = json.loads(done.stdout)
    assert (finding["code"], finding["message"]) == ("TS198", "`+2` cannot be compiled")
    assert finding["location"] == {"row": 6, "column": 16}

    done = python(copy, *check, "--fix", "--unsafe-fixes")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (copy / "some_module.py").read_text() == GOOD


@pytest.mark.slow
def test_the_exercise_works_as_typed(tmp_path: Path) -> None:
    copy = tree(tmp_path / "copy")
    tools = "".join(f'{name}() {{ "{sys.executable}" -m {name} "$@"; }}; ' for name in ("tslint", "pytest"))
    environ = {**clean_environ(), "PYTHONPATH": str(copy)}
    said = {}
    for command in EXERCISE.splitlines():
        typed = ["bash", "-c", tools + command.replace("/tmp/", f"{tmp_path}/")]
        done = subprocess.run(typed, cwd=copy, capture_output=True, text=True, env=environ)
        assert done.returncode == ("--diff" in command), done.stdout + done.stderr
        said[command.split()[0]] = done.stdout
    assert (tmp_path / "plus_sign.py").read_text() == BAD
    assert "-    return x * +2\n+    return x * 2\n" in said["tslint"]
    passed = re.search(r"(\d+) passed", said["pytest"])
    assert passed is not None
    assert int(passed.group(1)) >= 7, said["pytest"]
    assert not (copy / PLACE).exists()


def test_the_page_says_what_each_risk_is() -> None:
    said = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", PAGE, re.MULTILINE))
    assert said == {risk.name: risk.words for risk in Risk}


def test_the_files_that_the_page_names_are_there() -> None:
    for name in re.findall(r"\]\((\S+?)\)", PAGE):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"`((?:tslint|tests|\.ci)/[\w./]*)`", PAGE):
        assert (ROOT / name).exists(), name
