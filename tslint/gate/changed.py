"""Finds the files that have changed since a commit: committed, staged, unstaged and untracked."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tslint.util.record import record

# In a hook, these variables tell git where to work; relative paths in them depend on the hook's folder.
_PLACES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY")


class GitFailed(Exception):
    """Raised if git cannot answer; the message is one line with a solution."""


@record
class Changes:
    """The changed files.

    Args:
        since: the commit, as it was named.
        base: the commit for the comparison: where this branch left ``since``, or ``since`` itself.
        files: the absolute and real paths of changed files that exist.
        gone: the absolute and real paths of files that were deleted or moved.
    """

    since: str
    base: str
    files: frozenset[Path]
    gone: frozenset[Path] = frozenset()

    def __contains__(self, path: Path) -> bool:
        """Return whether a file, or the submodule that contains it, has changed."""
        real = Path(os.path.realpath(path))
        return real in self.files or any(parent in self.files for parent in real.parents)


def changed_since(ref: str, folder: Path) -> Changes:
    """Ask git what has changed in the repository around a folder.

    The files on disk are compared with the commit where the current branch left ``ref``, so that later commits of
    others do not count as changes. In a shallow clone without that commit, ``ref`` itself is used.

    Args:
        ref: a branch, a tag or a commit.
        folder: the folder of the project.

    Raises:
        GitFailed: there is no git, no repository or no such commit.
    """
    top = Path(_text(_git(["rev-parse", "--show-toplevel"], folder)))
    try:
        commit = _text(_git(["rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"], folder))
    except GitFailed:
        raise GitFailed(
            f"{ref!r} is not a commit in this clone; fetch it first (a shallow clone lacks most commits)"
        ) from None
    try:
        base = _text(_git(["merge-base", commit, "HEAD"], folder))
    except GitFailed:
        base = commit  # there is no HEAD yet, or a shallow clone does not have the history between the two
    changed = _names(_git(["diff", "--name-status", "--no-renames", "--no-ext-diff", "-z", base, "--"], top))
    pairs = list(zip(changed[::2], changed[1::2]))
    untracked = _names(_git(["ls-files", "--others", "--exclude-standard", "-z"], top))
    present = [name for status, name in pairs if status != "D"]
    return Changes(
        ref,
        base,
        _paths(top, (*present, *untracked)),
        _paths(top, (name for status, name in pairs if status == "D")) - _paths(top, untracked),
    )


def _paths(top: Path, names: Iterable[str]) -> frozenset[Path]:
    return frozenset(Path(os.path.realpath(top / name)) for name in names)


def _names(output: bytes) -> list[str]:
    return [os.fsdecode(name) for name in output.split(b"\0") if name]


def _text(output: bytes) -> str:
    return os.fsdecode(output).rstrip("\n")


def _git(arguments: list[str], folder: Path) -> bytes:
    environ = {**os.environ, "LC_ALL": "C"}
    for name in _PLACES:
        if environ.get(name):
            environ[name] = os.path.abspath(environ[name])
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, env=environ, capture_output=True)
    except OSError as error:
        raise GitFailed(f"git cannot be run: {error.strerror or error}; install it, or omit the option") from error
    if done.returncode:
        said = os.fsdecode(done.stderr).strip().splitlines() or [f"git {arguments[0]} failed"]
        if "not a git repository" in said[0]:
            raise GitFailed(f"{folder} is not in a git repository, so tslint cannot know what has changed")
        raise GitFailed(said[0].removeprefix("fatal: "))
    return done.stdout
