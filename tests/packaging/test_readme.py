"""Tests that the README is true: its outputs are tslint's, and its commands are run by CI."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.packaging.support import ROOT, clean_environ
from tslint.config import load_settings
from tslint.rulekit.registry import all_rules

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for kind, text in BLOCKS if kind == language]


def test_the_first_command_installs_and_lints_the_examples() -> None:
    assert blocks("console")[0] == "pip install . && tslint check examples\n"


def test_one_command_installs_what_the_tests_need_and_runs_them() -> None:
    lines = [line for line in README.splitlines() if "pip install -e" in line]
    assert lines == ["pip install -e '.[dev]' && pytest -n auto"]
    assert blocks("console")[-1] == lines[0] + "\n"


def test_ci_runs_that_very_command() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    found = subprocess.run(
        ["bash", "-c", next(line for line in script.splitlines() if line.startswith("tests=")) + '; echo "$tests"'],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == blocks("console")[-1]
    assert '\nbash -c "$tests"\n' in script


def test_the_output_is_what_is_printed() -> None:
    (shown,) = blocks("text")
    done = subprocess.run(
        [sys.executable, "-m", "tslint", "check", "examples", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=clean_environ(),
    )
    assert done.returncode == 1, done.stderr
    # The README omits findings in the middle, and shows that with a line of dots.
    parts = [part.strip("\n") for part in shown.split("\n⋮\n")]
    assert len(parts) > 1
    place = 0
    for part in parts:
        place = done.stdout.find(part, place)
        assert place >= 0, f"not printed: {part}\n\nprinted:\n{done.stdout}"
        place += len(part)
    assert done.stdout.startswith(parts[0])
    assert done.stdout.endswith(parts[-1] + "\n")


def test_the_settings_are_taken(tmp_path: Path) -> None:
    (text,) = blocks("toml")
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    settings = load_settings([tmp_path], config=path, isolated=False)
    assert settings.entry_points == ("pkg.net:Net",)


def test_the_rules_that_it_names_exist() -> None:
    names = {entry.rule.name for entry in all_rules()} | {entry.rule.code for entry in all_rules()}
    for name in re.findall(r"^tslint rule ([\w-]+)", README, re.MULTILINE) + re.findall(r"\bTS\d{3}\b", README):
        assert name in names, name


def test_its_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\((\S+?)\)", README):
        assert (ROOT / link).exists(), link
