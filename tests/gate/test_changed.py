"""Tests which changes git reports: committed, staged, unstaged, untracked, deleted, renamed, and from a branch."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.gate.repository import commit, git, write
from tslint.gate.changed import Changes, GitFailed, changed_since


def names(changes: Changes, root: Path) -> tuple[set[str], set[str]]:
    top = Path(os.path.realpath(root))
    return tuple({path.relative_to(top).as_posix() for path in paths} for paths in (changes.files, changes.gone))  # type: ignore[return-value]


def test_nothing_has_changed(project: Path) -> None:
    assert names(changed_since("HEAD", project), project) == (set(), set())


def test_every_state_counts(project: Path) -> None:
    write(project, pkg__committed="a = 1\n")
    commit(project)
    write(project, pkg__staged="a = 1\n", pkg__untracked="a = 1\n", pkg__both="a = 1\n")
    git("add", "pkg/staged.py", "pkg/both.py", cwd=project)
    write(project, pkg__both="a = 2\n", pkg__ops="a = 3\n")
    (project / "pkg/other.py").unlink()
    git("mv", "pkg/net.py", "pkg/naïve net.py", cwd=project)
    (project / ".gitignore").write_text("*.log\n")
    (project / "run.log").write_text("")
    changed = {"committed.py", "staged.py", "untracked.py", "both.py", "ops.py", "naïve net.py"}
    expected = {f"pkg/{name}" for name in changed} | {".gitignore"}
    assert names(changed_since("HEAD~1", project), project) == (expected, {"pkg/other.py", "pkg/net.py"})


def test_commits_on_the_base_branch_are_not_changes(project: Path) -> None:
    git("switch", "--quiet", "--create", "topic", cwd=project)
    write(project, pkg__ours="a = 1\n")
    commit(project)
    git("switch", "--quiet", "main", cwd=project)
    write(project, pkg__theirs="a = 1\n")
    commit(project)
    git("switch", "--quiet", "topic", cwd=project)
    assert names(changed_since("main", project), project)[0] == {"pkg/ours.py"}


def test_from_a_folder_below_and_from_within_a_hook(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(project, pkg__ops="a = 3\n")
    # As git sets them for hooks: relative to the root of the repository.
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    monkeypatch.setenv("GIT_WORK_TREE", ".")
    changes = changed_since("HEAD", project / "pkg")
    assert names(changes, project)[0] == {"pkg/ops.py"}
    assert project / "pkg/ops.py" in changes
    assert project / "pkg/net.py" not in changes


def test_a_clone_without_the_commits_in_between(project: Path, tmp_path: Path) -> None:
    write(project, pkg__ours="a = 1\n")
    commit(project)
    git("clone", "--quiet", "--depth", "1", project.as_uri(), "shallow", cwd=tmp_path)
    clone = tmp_path / "shallow"
    with pytest.raises(GitFailed, match=r"'HEAD~1' is not a commit in this clone; fetch it first"):
        changed_since("HEAD~1", clone)
    git("fetch", "--quiet", "--depth", "1", "origin", git("rev-parse", "HEAD~1", cwd=project), cwd=clone)
    assert names(changed_since("FETCH_HEAD", clone), clone)[0] == {"pkg/ours.py"}


def test_a_submodule_counts_with_all_its_files(project: Path, tmp_path: Path) -> None:
    git("clone", "--quiet", str(project), "library", cwd=tmp_path)
    allow = ("-c", "protocol.file.allow=always")
    git(*allow, "submodule", "--quiet", "add", str(tmp_path / "library"), "library", cwd=project)
    commit(project)
    write(project / "library", pkg__ops="a = 3\n")
    commit(project / "library")
    assert project / "library/pkg/ops.py" in changed_since("HEAD", project)


@pytest.mark.parametrize("ref", ["nope", "--all", "", "HEAD:pyproject.toml", "0" * 40])
def test_what_is_no_commit(project: Path, ref: str) -> None:
    with pytest.raises(GitFailed, match="is not a commit in this clone"):
        changed_since(ref, project)


def test_no_repository(tmp_path: Path) -> None:
    with pytest.raises(GitFailed, match="is not in a git repository, so tslint cannot know what has changed"):
        changed_since("HEAD", tmp_path)


def test_no_git(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitFailed, match="git cannot be run: No such file or directory; install it"):
        changed_since("HEAD", project)
