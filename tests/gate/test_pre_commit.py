"""Tests the hooks with the real pre-commit and the real git, on staged and on pushed files.

They run the tslint of the tests (``language: system``), so that no environment is built; tests/packaging builds one.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gate.repository import NET, OTHER, REJECTED, commit, git, run, write
from tests.packaging.support import ROOT
from tslint.setup.hook import with_hook

pytestmark = pytest.mark.slow

FIXABLE = """\
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        steps = []
        steps.append(x.size(0))
        return x * len(steps)
"""
FIXED = FIXABLE.replace("steps = []", "steps: List[int] = []")


@pytest.fixture(scope="session")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository that offers the hooks unchanged."""
    repository = tmp_path_factory.mktemp("hooks") / "tslint"
    repository.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", repository)
    git("init", "--quiet", cwd=repository)
    commit(repository)
    return repository


class Repository:
    """A project that uses a hook."""

    def __init__(self, root: Path, hooks: Path, home: Path) -> None:
        self.root = root
        self.hooks = hooks
        self.home = home

    def use(self, hook: str) -> None:
        (self.root / ".pre-commit-config.yaml").write_text(
            f"repos:\n- repo: {self.hooks}\n  rev: {git('rev-parse', 'HEAD', cwd=self.hooks)}\n"
            f"  hooks:\n  - id: {hook}\n    language: system\n    verbose: true\n"
        )
        commit(self.root, "the hook")

    def pre_commit(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return run([sys.executable, "-m", "pre_commit", *arguments], self.root, PRE_COMMIT_HOME=str(self.home))

    def push(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return run(["git", "push", "origin", *arguments], self.root, PRE_COMMIT_HOME=str(self.home))

    def stage(self, **files: str) -> None:
        write(self.root, **files)
        git("add", "--all", cwd=self.root)


@pytest.fixture
def scratch(project: Path, hooks: Path, tmp_path: Path) -> Repository:
    return Repository(project, hooks, tmp_path / "home")


def test_a_staged_mistake_stops_the_commit_though_only_the_rest_compiles_it(scratch: Repository) -> None:
    scratch.use("tslint")
    scratch.stage(pkg__ops=REJECTED)
    done = scratch.pre_commit("run")
    assert done.returncode == 1, done.stdout
    assert "exit code: 1" in done.stdout
    assert "pkg/ops.py:5:5" in done.stdout
    mended = REJECTED.replace("try:", "if x.dim() > 0:").replace("finally:", "else:").replace("pass", "return x")
    scratch.stage(pkg__ops=mended)
    done = scratch.pre_commit("run")
    assert done.returncode == 0, done.stdout


def test_files_that_are_not_staged_are_not_reported(scratch: Repository) -> None:
    rejected = NET.replace("return twice(x)", "return unknown(x)")
    write(scratch.root, pkg__committed=rejected)
    scratch.use("tslint")
    scratch.stage(pkg__other=OTHER + "# more\n")
    write(scratch.root, pkg__net=rejected, pkg__untracked=rejected)
    done = scratch.pre_commit("run")
    assert done.returncode == 0, done.stdout
    assert "unknown" not in done.stdout


def test_of_a_partially_staged_file_the_staged_part_is_checked(scratch: Repository) -> None:
    scratch.use("tslint")
    mended, broken = OTHER + "# more\n", OTHER.replace("return x * 2", "return unknown(x)")
    # Fixed in the working tree only: the staged version is still wrong.
    scratch.stage(pkg__other=broken)
    write(scratch.root, pkg__other=mended)
    done = scratch.pre_commit("run")
    assert done.returncode == 1, done.stdout
    assert "pkg/other.py:7:16" in done.stdout
    assert (scratch.root / "pkg/other.py").read_text() == mended
    # Wrong in the working tree only: the staged version is right.
    scratch.stage(pkg__other=mended)
    write(scratch.root, pkg__other=broken)
    done = scratch.pre_commit("run")
    assert done.returncode == 0, done.stdout
    assert (scratch.root / "pkg/other.py").read_text() == broken


def test_what_is_excluded_stays_out(scratch: Repository) -> None:
    (scratch.root / "tslint.toml").write_text('extend-exclude = ["generated", "pkg/made_*.py"]\n')
    scratch.use("tslint")
    rejected = OTHER.replace("return x * 2", "return unknown(x)")
    scratch.stage(generated__deep__net=rejected, pkg__made_net=rejected)
    done = scratch.pre_commit("run")
    assert done.returncode == 0, done.stdout
    scratch.stage(pkg__net=rejected)
    assert scratch.pre_commit("run").returncode == 1


def test_a_fixed_file_fails_once_and_then_passes(scratch: Repository) -> None:
    scratch.use("tslint-fix")
    scratch.stage(pkg__net=FIXABLE)
    write(scratch.root, pkg__untracked=FIXABLE)
    done = scratch.pre_commit("run")
    assert done.returncode == 1, done.stdout
    assert "files were modified by this hook" in done.stdout
    assert (scratch.root / "pkg/net.py").read_text() == FIXED
    assert (scratch.root / "pkg/untracked.py").read_text() == FIXABLE
    git("add", "pkg/net.py", cwd=scratch.root)
    done = scratch.pre_commit("run")
    assert done.returncode == 0, done.stdout
    assert git("show", ":pkg/net.py", cwd=scratch.root) == FIXED.strip()


def test_mending_a_partially_staged_file_keeps_what_is_not_staged(scratch: Repository) -> None:
    scratch.use("tslint-fix")
    # The changes are several lines apart, so that `git add -p` could stage one of them.
    tail = "\n\nOTHER = 1\n" * 4
    scratch.stage(pkg__net=FIXABLE + tail)
    write(scratch.root, pkg__net=FIXABLE + tail + "# not staged\n")
    assert scratch.pre_commit("run").returncode == 1
    assert (scratch.root / "pkg/net.py").read_text() == FIXED + tail + "# not staged\n"


def remote(scratch: Repository, folder: Path) -> None:
    git("init", "--quiet", "--bare", str(folder / "remote.git"), cwd=folder)
    git("remote", "add", "origin", str(folder / "remote.git"), cwd=scratch.root)
    git("push", "--quiet", "origin", "main", cwd=scratch.root)
    done = scratch.pre_commit("install", "--hook-type", "pre-push")
    assert done.returncode == 0, done.stderr


def test_a_push_that_reaches_no_target_verifies_none(scratch: Repository, tmp_path: Path) -> None:
    scratch.use("tslint-verify")
    remote(scratch, tmp_path)
    (scratch.root / "README.md").write_text("More.\n")
    commit(scratch.root)
    done = scratch.push("main")
    assert done.returncode == 0, done.stderr
    assert "0 of 2 targets" in done.stdout + done.stderr
    assert "gate passed: no target to verify" in done.stdout + done.stderr
    # A commit does not run the verification.
    assert "tslint verify" not in scratch.pre_commit("run", "--all-files").stdout


def test_a_push_is_stopped_where_it_breaks_a_target(scratch: Repository, tmp_path: Path) -> None:
    scratch.use("tslint-verify")
    remote(scratch, tmp_path)
    before = git("rev-parse", "origin/main", cwd=scratch.root)
    write(scratch.root, pkg__other=OTHER.replace("return x * 2", "return x * len(f'{x.dim():>3}')"))
    commit(scratch.root)
    git("switch", "--quiet", "--create", "topic", cwd=scratch.root)
    done = scratch.push("topic")
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "other (pkg.other:Other)" in said
    assert "net (pkg.net:build)" not in said
    assert "FAIL: script failed" in said
    assert git("ls-remote", "origin", "topic", cwd=scratch.root) == ""
    assert git("rev-parse", "origin/main", cwd=scratch.root) == before


@pytest.mark.parametrize("hook", ["tslint", "tslint-fix", "of init"])
def test_commit_hooks_do_not_run_on_a_push(scratch: Repository, tmp_path: Path, hook: str) -> None:
    config = scratch.root / ".pre-commit-config.yaml"
    if hook == "of init":
        config.write_text(with_hook(None) or "")
        commit(scratch.root, "the hook")
    else:
        scratch.use(hook)
    remote(scratch, tmp_path)
    # Installed as documented, for both; the commit hook is skipped, to test the push hook.
    scratch.stage(pkg__net=FIXABLE)
    commit(scratch.root)
    assert scratch.pre_commit("install", "--hook-type", "pre-commit").returncode == 0
    done = scratch.push("main")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (scratch.root / "pkg/net.py").read_text() == FIXABLE
    scratch.stage(pkg__net=FIXABLE + "# more\n")
    again = run(["git", "commit", "--message", "more"], scratch.root, PRE_COMMIT_HOME=str(scratch.home))
    assert again.returncode == 1, again.stdout + again.stderr
    assert "TS504" in again.stdout + again.stderr or "files were modified" in again.stdout + again.stderr
