"""Tests this repository's hooks with the real pre-commit in another repository."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.support import ROOT, clean_environ, copy_tree

pytestmark = pytest.mark.installs

HOOKS = ("tslint", "tslint-fix")
REJECTED = """\
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        try:
            return x + 1
        except ValueError:
            return x
"""


def git(*arguments: str, cwd: Path) -> str:
    names = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    command = ["git", *names, *arguments]
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True, env=clean_environ()).stdout


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with this tree, committed."""
    repository = copy_tree(tmp_path_factory.mktemp("hooks") / "tslint")
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", repository)
    git("init", "--quiet", cwd=repository)
    git("add", ".", cwd=repository)
    git("commit", "--quiet", "--message", "as it is", cwd=repository)
    return repository


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder for pre-commit's environment, shared by all of these tests."""
    return tmp_path_factory.mktemp("pre-commit")


@pytest.fixture()
def scratch(tmp_path: Path, hooks: Path) -> Path:
    """Return a repository that uses the hooks, with a staged module and one that is not staged."""
    repository = tmp_path / "scratch"
    repository.mkdir()
    git("init", "--quiet", cwd=repository)
    (repository / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {hooks}\n  rev: {git('rev-parse', 'HEAD', cwd=hooks)}"
        f"  hooks: [{', '.join(f'{{id: {hook}}}' for hook in HOOKS)}]\n"
    )
    (repository / "net.py").write_text(REJECTED)
    git("add", "net.py", cwd=repository)
    (repository / "untracked.py").write_text(REJECTED)
    return repository


def pre_commit(scratch: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """Run the hooks on the staged files."""
    command = [sys.executable, "-m", "pre_commit", "run", "--color", "never", "--verbose"]
    environ = {**clean_environ(), "PRE_COMMIT_HOME": str(home)}
    return subprocess.run(command, cwd=scratch, capture_output=True, text=True, env=environ)


def test_a_staged_mistake_stops_the_commit(scratch: Path, home: Path) -> None:
    done = pre_commit(scratch, home)
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    for hook in HOOKS:
        _, _, of_hook = done.stdout.partition(f"- hook id: {hook}\n")
        of_hook, _, _ = of_hook.partition("- hook id:")
        assert "exit code: 1" in of_hook, said
        assert "try-block" in of_hook
        assert "net.py:6:9" in of_hook
    assert "untracked.py" not in done.stdout


def test_a_module_without_mistakes_is_let_through(scratch: Path, home: Path) -> None:
    mended = REJECTED.replace("try:", "if x.dim() > 0:").replace("except ValueError:", "else:")
    (scratch / "net.py").write_text(mended)
    git("add", "net.py", cwd=scratch)
    done = pre_commit(scratch, home)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("Passed") == 2
