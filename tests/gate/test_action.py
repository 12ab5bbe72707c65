"""Tests action.yml and templates/gitlab-ci.yml: their scripts run in scratch repositories."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.gate.repository import OTHER, REJECTED, commit, environ, git, write
from tests.gate.workflows import ACTION, GITLAB, PIP, STEPS, Job
from tests.packaging.support import copy_tree

# Only the check, so that torch is not loaded.
CHECK = {"args": "--only check"}


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what pip builds."""
    return copy_tree(tmp_path_factory.mktemp("action") / "tree")


@pytest.fixture
def job(project: Path, tmp_path: Path, tree: Path) -> Job:
    (tmp_path / "temp").mkdir()
    return Job(project, tmp_path / "temp", CHECK, action_path=tree)


def number(name: str) -> int:
    return next(number for number, step in enumerate(STEPS) if step["name"] == name)


def test_no_input_is_pasted_into_a_script() -> None:
    for step in STEPS:
        assert "${{" not in step.get("run", ""), step["name"]


def test_every_expression_is_about_something_that_is_there() -> None:
    text = json.dumps(ACTION)
    outputs = {f"{step['id']}.outputs.{name}" for step in STEPS if "run" in step
               for name in re.findall(r'echo "([\w-]+)=', step["run"])}  # fmt: skip
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(ACTION["inputs"])
    assert set(re.findall(r"steps\.([\w-]+\.outputs\.[\w-]+)", text)) <= outputs
    for step in STEPS:
        assert ("run" in step) != ("uses" in step)
        assert ("run" in step) == (step.get("shell") == "bash")


def test_findings_become_annotations_and_reports(job: Job) -> None:
    write(job.checkout, pkg__ops=REJECTED)
    done = job.step(number("Run the gate"))
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error title=tslint%3A TS101 try-block,file=pkg/ops.py,line=5,")
    assert job.outputs["steps.gate.outputs.exit-status"] == "1"
    assert job.summary == "gate failed: 1 finding in 4 files\n"
    reports = Path(job.outputs["steps.gate.outputs.reports"])
    assert ElementTree.parse(reports / "junit.xml").getroot().get("failures") == "1"
    assert "TS101" in (reports / "report.html").read_text()
    assert json.loads((reports / "tslint.sarif").read_text())["version"] == "2.1.0"


def test_inputs_reach_the_gate(job: Job) -> None:
    write(job.checkout, **{"pkg__two words": REJECTED.replace("def", "@torch.jit.script\ndef")}, pkg__ops=REJECTED)
    job.inputs = {"args": "--only check --fail-on error --shard 1/1", "paths": "pkg/other.py  pkg/net.py"}
    done = job.step(number("Run the gate"))
    assert (done.returncode, done.stdout) == (0, "gate passed: 0 findings in 2 files\n"), done.stderr
    job.inputs = {**CHECK, "paths": "*.py"}
    done = job.step(number("Run the gate"))
    assert (done.returncode, done.stderr) == (2, "error: *.py: no such file or folder\n")
    assert job.outputs["steps.gate.outputs.exit-status"] == "2"


def test_a_project_in_a_folder(job: Job) -> None:
    (job.checkout / "part").mkdir()
    git("mv", "pkg", "pyproject.toml", "part", cwd=job.checkout)
    write(job.checkout, part__pkg__ops=REJECTED)
    job.inputs = {**CHECK, "working-directory": "part"}
    done = job.step(number("Run the gate"))
    assert done.returncode == 1, done.stderr
    assert "TS101" in done.stdout


@pytest.mark.parametrize("kind", ["pull_request.base.sha", "before"])
def test_what_has_changed_is_found_in_a_shallow_clone(job: Job, tmp_path: Path, kind: str) -> None:
    before = git("rev-parse", "HEAD", cwd=job.checkout)
    write(job.checkout, pkg__stale=REJECTED.replace("def", "@torch.jit.script\ndef"))
    middle = commit(job.checkout)
    write(job.checkout, pkg__other=OTHER + "# more\n")
    commit(job.checkout)
    git("clone", "--quiet", "--depth", "1", job.checkout.as_uri(), "clone", cwd=tmp_path)
    job.checkout, job.inputs = tmp_path / "clone", {**CHECK, "changed-since": "auto"}
    for since, status in ((middle, 0), (before, 1)):
        job.event = {kind: since}
        done = job.step(number("Find what has changed"))
        assert done.returncode == 0, done.stderr
        assert job.outputs["steps.since.outputs.since"] == since
        done = job.step(number("Run the gate"))
        assert done.returncode == status, done.stdout + done.stderr


def test_a_branch_that_the_clone_does_not_have(job: Job, tmp_path: Path) -> None:
    base = git("rev-parse", "HEAD", cwd=job.checkout)
    git("switch", "--quiet", "--create", "topic", cwd=job.checkout)
    write(job.checkout, pkg__ops=REJECTED)
    commit(job.checkout)
    clone = ("clone", "--quiet", "--depth", "1", "--branch", "topic", job.checkout.as_uri(), "clone")
    git(*clone, cwd=tmp_path)
    job.checkout, job.inputs = tmp_path / "clone", {**CHECK, "changed-since": "origin/main"}
    assert job.step(number("Find what has changed")).returncode == 0
    assert job.outputs["steps.since.outputs.since"] == base
    assert "TS101" in job.step(number("Run the gate")).stdout


@pytest.mark.parametrize(("since", "event", "expected", "said"), [
    ("", {"before": "1" * 40}, "", ""),
    ("auto", {"before": "0" * 40}, "", ""),
    ("auto", {}, "", ""),
    ("auto", {"before": "1" * 40}, "", f"::notice title=tslint::the commit {'1' * 40} no longer exists, so everything"
     " is checked\n"),
    ("HEAD", {}, "HEAD", ""),
    ("nope", {}, "nope", ""),
])  # fmt: skip
def test_nothing_to_compare_with(job: Job, since: str, event: dict[str, str], expected: str, said: str) -> None:
    job.inputs, job.event = {**CHECK, "changed-since": since}, event
    done = job.step(number("Find what has changed"))
    assert (done.returncode, done.stdout) == (0, said), done.stderr
    assert job.outputs["steps.since.outputs.since"] == expected
    done = job.step(number("Run the gate"))
    assert done.returncode == (2 if since == "nope" else 0), done.stderr


@pytest.mark.installs
def test_the_action_installs_tslint_and_the_named_packages(job: Job, tmp_path: Path) -> None:
    extra = tmp_path / "extra"
    extra.mkdir()
    (extra / "pyproject.toml").write_text('[project]\nname = "extra-project"\nversion = "7"\n')
    (extra / "extra_project.py").write_text("")
    job.inputs = {**CHECK, "install": str(extra)}
    done = job.run()
    assert done.returncode == 0, done.stdout + done.stderr
    assert job.outputs["steps.pip.outputs.cache"]
    done = job.step(number("Install tslint"))
    assert re.search(r"Would install .*extra-project-7.* tslint-\d", done.stdout), done.stdout + done.stderr
    job.inputs = {"version": "999"}
    done = job.step(number("Install tslint"))
    assert done.returncode == 1
    assert "tslint==999" in done.stderr


def gitlab(root: Path, tree: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the job of the template, as GitLab's runner does."""
    job = GITLAB["tslint"]
    variables = {name: str(value).replace("$CI_PROJECT_DIR", str(root)) for name, value in job["variables"].items()}
    variables = {**variables, "TSLINT_INSTALL": str(tree), "TSLINT_ARGS": "--only check", **PIP, **more}
    return subprocess.run(
        ["bash", "-eo", "pipefail"], input="\n".join(job["script"]), cwd=root, capture_output=True, text=True,
        env=environ(CI_PROJECT_DIR=str(root), **variables),
    )  # fmt: skip


@pytest.mark.slow
def test_the_job_for_gitlab(project: Path, tree: Path) -> None:
    shutil.rmtree(project / ".cache", ignore_errors=True)
    base = git("rev-parse", "HEAD", cwd=project)
    write(project, pkg__stale=REJECTED.replace("def", "@torch.jit.script\ndef"))
    middle = commit(project)
    write(project, pkg__ops=REJECTED)
    commit(project)
    done = gitlab(project, tree)
    assert done.returncode == 1, done.stderr
    assert "2 findings in 5 files" in done.stdout
    artifacts = GITLAB["tslint"]["artifacts"]
    for file in (*artifacts["paths"], *artifacts["reports"].values()):
        assert (project / file).stat().st_size, file
    places = [each["location"]["path"] for each in json.loads((project / "gl-code-quality-report.json").read_text())]
    assert sorted(places) == ["pkg/ops.py", "pkg/stale.py"]
    # In a merge request, only its changes; with `parallel`, a shard of those.
    assert "1 finding in 1 file\n" in gitlab(project, tree, CI_MERGE_REQUEST_DIFF_BASE_SHA=middle).stdout
    done = gitlab(project, tree, CI_MERGE_REQUEST_DIFF_BASE_SHA=base, CI_NODE_INDEX="2", CI_NODE_TOTAL="2")
    assert done.returncode == 1, done.stderr
    assert "pkg/stale.py" in done.stdout
    assert "1 finding in 1 file\n" in done.stdout
