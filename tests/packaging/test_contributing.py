"""CONTRIBUTING.md is right: its rule registers, fires, mends, and passes the tests that all rules pass."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.support import ROOT, clean_environ

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
(RULE,) = re.findall(r"^````python\n(.*?)^````$", PAGE, re.MULTILINE | re.DOTALL)
(PLACE,) = set(re.findall(r"`(rules/\w+/\w+\.py)`", PAGE))
BAD, GOOD = re.findall(r"^```python\n(.*?)^```$", RULE, re.MULTILINE | re.DOTALL)


def python(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environ = {**clean_environ(), "PYTHONPATH": str(copy)}
    return subprocess.run([sys.executable, *arguments], cwd=copy, capture_output=True, text=True, env=environ)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree to import tslint from, laid out as it is installed, with the rule of the page in it."""
    folder = tmp_path_factory.mktemp("contributing") / "copy"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "tslint", folder / "tslint", ignore=ignore)
    shutil.copytree(ROOT / "rules", folder / "tslint" / "rules", ignore=ignore)
    shutil.copytree(ROOT / "tests" / "rules", folder / "tests" / "rules", ignore=ignore)
    for name in ("oracle.py", "kept.py"):
        shutil.copy(ROOT / "tests" / name, folder / "tests")
    shutil.copy(ROOT / "pyproject.toml", folder)
    place = folder / "tslint" / PLACE
    assert not place.exists(), "the page shows a rule of its own"
    place.write_text(RULE, encoding="utf-8")
    return folder


def test_the_rule_registers_itself(copy: Path) -> None:
    done = python(copy, "-m", "tslint", "rule", "plus-sign")
    assert done.returncode == 0, done.stderr
    assert "Plus sign before a value" in done.stdout


def test_the_rule_fires_and_mends(copy: Path) -> None:
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


def test_the_rule_passes_the_tests_of_all_rules(copy: Path) -> None:
    done = python(copy, "-m", "pytest", "tests/rules/test_pages.py", "-k", "plus-sign", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed.group(1)) >= 7, done.stdout


def test_the_commands_that_the_page_gives_are_there(copy: Path) -> None:
    for command in re.findall(r"^tslint (\w+ .*)$", PAGE, re.MULTILINE):
        (copy / "some_module.py").write_text(BAD)
        done = python(copy, "-m", "tslint", *command.split())
        assert done.returncode in (0, 1), done.stderr


def test_the_files_that_the_page_names_are_there() -> None:
    for name in re.findall(r"\]\((\S+?)\)", PAGE):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"`((?:tslint|tests|\.ci)/[\w./]*)`", PAGE):
        assert (ROOT / name).exists(), name
