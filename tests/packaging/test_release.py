"""Tests that the version is written in one place, and that the workflows are valid, as far as one machine can tell."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts import release
from tests.packaging.support import ROOT, Environment, clean_environ, copy_tree
from tslint import __version__

WORKFLOWS = ROOT / ".github" / "workflows"
NAMES = sorted(path.name for path in WORKFLOWS.glob("*.yml"))
TAG = f"v{__version__}"


def workflow(name: str) -> dict[str, Any]:
    parsed: dict[str, Any] = yaml.safe_load((WORKFLOWS / name).read_text(encoding="utf-8"))
    return parsed


def steps(name: str, job: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = workflow(name)["jobs"][job]["steps"]
    return found


def command(job: str, step: str) -> str:
    """Return the command of a release step."""
    (found,) = [each["run"] for each in steps("release.yml", job) if each.get("name") == step]
    return str(found)


def bash(line: str, cwd: Path, environ: dict[str, str], programs: Path) -> subprocess.CompletedProcess[str]:
    """Run a step as GitHub does, with the `python` of this folder."""
    path = os.pathsep.join([str(programs), environ["PATH"]])
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", line]
    return subprocess.run(shell, cwd=cwd, env={**environ, "PATH": path}, capture_output=True, text=True, timeout=300)


def releasable(folder: Path, heading: str = f"## [{__version__}] - 2026-01-31") -> Path:
    """Return a copy of what the build job reads, with this heading in the changelog."""
    copy = copy_tree(folder)
    shutil.copytree(ROOT / "examples", copy / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("scripts/release.py", "editors/vscode/package.json", "CHANGELOG.md"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    changelog = copy / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    changed = re.sub(rf"^## \[{re.escape(__version__)}\].*$", heading, text, flags=re.MULTILINE)
    changelog.write_text(changed, encoding="utf-8")
    return copy


def test_the_workflows_are_valid() -> None:
    assert {"ci.yml", "nightly.yml", "release.yml"} <= set(NAMES)
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([*check, *(WORKFLOWS / name for name in NAMES)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_ci_runs_what_has_to_hold() -> None:
    job = workflow("ci.yml")["jobs"]["run"]
    (step,) = [step for step in job["steps"] if "run" in step]
    assert step["run"] == "bash .ci/run"
    # The script gets its Python from this variable.
    assert step["env"] == {"PYTHON": "python"}
    assert "${PYTHON:-" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    # As a number, 3.10 would be 3.1.
    assert all(isinstance(version, str) for version in job["strategy"]["matrix"]["python"])


@pytest.mark.parametrize("name", NAMES)
def test_nothing_from_outside_is_pasted_into_a_command(name: str) -> None:
    for job in workflow(name)["jobs"].values():
        for step in job.get("steps", []):
            assert "${{" not in step.get("run", "")


def test_only_the_jobs_that_need_it_may_do_more_than_read() -> None:
    parsed = workflow("release.yml")
    assert parsed["permissions"] == {"contents": "read"}
    more = {name: job["permissions"] for name, job in parsed["jobs"].items() if "permissions" in job}
    assert more == {"publish": {"id-token": "write"}, "announce": {"contents": "write"}}
    # No secrets are needed, because publishing is trusted. Everything that is published was tried, and passed CI.
    assert "secrets." not in (WORKFLOWS / "release.yml").read_text(encoding="utf-8")
    assert set(parsed["jobs"]["publish"]["needs"]) == {"ci", "ask", "try"}
    assert parsed["jobs"]["announce"]["needs"] == "publish"


def test_the_release_asks_torch_everything_again() -> None:
    commands = [step.get("run", "") for step in steps("release.yml", "ask")]
    assert commands[-1] == 'pytest -n auto --ask-torch -m "not installs"'
    # Asked with the Python for which verdicts are stored: with another one, CI asks them all anyway.
    (python,) = [step["with"]["python-version"] for step in steps("release.yml", "ask") if "setup-python" in str(step)]
    assert [path.name for path in (ROOT / "tests" / "verdicts").glob(f"torch-*-python-{python}.jsonl")]


@pytest.mark.installs
def test_the_release_builds_checks_and_tries(tmp_path: Path) -> None:
    copy = releasable(tmp_path / "tree")
    environ = {**clean_environ(), "GITHUB_REF_NAME": TAG}
    builder = Environment.create(tmp_path / "builder")
    builder.install(*shlex.split(command("build", "Install what builds").removeprefix("python -m pip install ")))
    for step in ("Compare the tag with the version, the changelog and the extension", "Build", "Check"):
        done = bash(command("build", step), copy, environ, builder.scripts)
        assert done.returncode == 0, done.stdout + done.stderr
    assert (copy / "notes.md").read_text(encoding="utf-8").startswith("The first release.")
    assert [path.suffix for path in sorted((copy / "dist").iterdir())] == [".whl", ".gz"]
    assert "PASSED" in done.stdout

    # In a folder that contains only the examples and the wheel, as in the job.
    away = tmp_path / "away"
    shutil.copytree(copy / "examples", away / "examples")
    shutil.copytree(copy / "dist", away / "dist")
    environment = Environment.create(away / "fresh")
    (wheel,) = (away / "dist").glob("*.whl")
    environment.install(f"{wheel}[server]")
    done = bash(command("try", "Check the examples with it"), away, clean_environ(), Path(sys.executable).parent)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"tslint {__version__}\n" in done.stdout


@pytest.mark.parametrize(
    ("tag", "heading", "said"),
    [
        ("v9.9.9", f"## [{__version__}] - 2026-01-31", f"the tag is v9.9.9, tslint.__version__ is {__version__}"),
        (__version__, f"## [{__version__}] - 2026-01-31", f"tag {TAG}"),
        (TAG, f"## [{__version__}] - Unreleased", "has no date"),
        (TAG, "## [9.9.9] - 2026-01-31", f"CHANGELOG.md has no section `## [{__version__}] - YYYY-MM-DD`"),
    ],
)
def test_what_does_not_agree_is_not_released(tmp_path: Path, tag: str, heading: str, said: str) -> None:
    copy = releasable(tmp_path, heading)
    done = subprocess.run([sys.executable, "scripts/release.py", tag], cwd=copy, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


def test_an_extension_of_another_version_is_not_released(tmp_path: Path) -> None:
    copy = releasable(tmp_path)
    manifest = copy / "editors" / "vscode" / "package.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace(f'"version": "{__version__}"', '"version": "9.9.9"'), encoding="utf-8")
    done = subprocess.run([sys.executable, "scripts/release.py", TAG], cwd=copy, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (
        2, f"error: editors/vscode/package.json has version 9.9.9, tslint.__version__ is {__version__}\n"
    )  # fmt: skip


def test_the_version_is_written_in_one_place_and_copied_to_the_extension() -> None:
    assert release.version() == __version__
    for name in ("package.json", "package-lock.json"):
        manifest = json.loads((ROOT / "editors" / "vscode" / name).read_text(encoding="utf-8"))
        assert manifest["version"] == __version__, f"editors/vscode: npm version {__version__} --no-git-tag-version"
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'version = { attr = "tslint.util.version.__version__" }' in project


def test_the_changelog_has_the_form_that_it_names() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert all(re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - (Unreleased|\d{4}-\d\d-\d\d)", each) for each in headings), headings
    # The version under development is at the top.
    assert headings[0].startswith(f"[{__version__}]")
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.*)$", text, re.MULTILINE)) <= kinds
