"""Finds the files of a run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from tslint.sources.patterns import Patterns
from tslint.util.record import record
from tslint.util.suggest import did_you_mean

SUFFIXES = (".py", ".ipynb")


@record
class Problem:
    """A named path, or a folder below one, that cannot be read; the message is one line for the user."""

    path: Path
    message: str


@record
class Discovery:
    """The files of a run, sorted and without duplicates, and the problems."""

    files: tuple[Path, ...]
    problems: tuple[Problem, ...]


def discover(
    paths: Iterable[Path], *, root: Path, exclude: Iterable[str] = (), force_exclude: bool = False
) -> Discovery:
    """Find the Python files and notebooks that ``paths`` name or contain.

    A named file is included whatever its name is. Below a named folder, ``*.py`` and ``*.ipynb`` files are included
    unless ``exclude`` or a .gitignore excludes them: a .gitignore of the folder, of its subfolders, or of its parents
    up to the repository's root. Links to folders are followed only if they are named. Links to files are also followed
    below a folder, if their target is below it, too.

    Args:
        paths: files and folders.
        root: the folder to which patterns of ``exclude`` are relative.
        exclude: patterns as in .gitignore.
        force_exclude: whether to leave out excluded files even if they are named: a hook names all changed files.
    """
    excludes = Patterns(root, exclude)
    found: dict[str, Path] = {}
    problems: list[Problem] = []
    for path in paths:
        # Links are not resolved: a linked package has the module names of the place where it was named.
        path = Path(os.path.abspath(path))
        if force_exclude and _excluded(path, root, excludes):
            continue
        if path.is_dir():
            files: Iterable[Path] = _walk(path, excludes.below(path), _surrounding(path), problems)
        elif path.is_file():
            files = [path]
        else:
            problems.append(Problem(path, _missing(path)))
            continue
        for file in files:
            found.setdefault(os.path.realpath(file), file)
    return Discovery(tuple(sorted(found.values())), tuple(problems))


def _excluded(path: Path, root: Path, excludes: Patterns) -> bool:
    """Return whether a path, or a folder between it and the root, is excluded."""
    if path == root or not path.is_relative_to(root):
        return False
    inner = path.relative_to(root).parents
    folders = (root / each for each in inner if each != Path())
    return bool(excludes.verdict(path, path.is_dir())) or any(excludes.verdict(each, True) for each in folders)


def _missing(path: Path) -> str:
    """Explain why a named path cannot be checked, and what was probably meant."""
    if os.path.islink(path):
        return f"a broken link to {os.readlink(path)}"
    if os.path.lexists(path):
        return "neither a file nor a folder"
    try:
        beside = os.listdir(path.parent)
    except OSError:
        beside = []
    return "no such file or folder" + did_you_mean(path.name, beside)


def _surrounding(folder: Path) -> list[Patterns]:
    """Return the .gitignore files above ``folder``, up to the root of its repository; none outside a repository."""
    above: list[Patterns] = []
    if (folder / ".git").exists():
        return above
    for parent in folder.parents:
        patterns = Patterns.read(parent / ".gitignore")
        if patterns is not None:
            above.append(patterns.below(folder))
        if (parent / ".git").exists():
            return above
    return []


def _walk(folder: Path, excludes: Patterns, ignores: list[Patterns], problems: list[Problem]) -> Iterator[Path]:
    pending = [(folder, ignores)]
    top = os.path.realpath(folder)
    while pending:
        folder, ignores = pending.pop()
        try:
            with os.scandir(folder) as scan:
                entries = list(scan)
        except OSError as error:
            problems.append(Problem(folder, f"cannot be listed: {error.strerror or error}"))
            continue
        if any(entry.name == ".gitignore" for entry in entries):
            own = Patterns.read(folder / ".gitignore")
            ignores = [own, *ignores] if own is not None else ignores
        for entry in entries:
            path = folder / entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not (entry.name.endswith(SUFFIXES) and _is_file(entry, top)):
                continue
            if excludes.verdict(path, is_folder) or _ignored(path, is_folder, ignores):
                continue
            if is_folder:
                pending.append((path, ignores))
            else:
                yield path


def _is_file(entry: os.DirEntry[str], top: str) -> bool:
    """Return whether an entry is a file whose real path is below a folder."""
    try:
        # Fifos and devices are not files: reading them could block forever.
        if not entry.is_file():
            return False
        # A link that leads out of the folder could make tslint show, and fix, files that were not named.
        return not entry.is_symlink() or Path(os.path.realpath(entry.path)).is_relative_to(top)
    except OSError:
        return False  # a link to itself


def _ignored(path: Path, is_folder: bool, ignores: list[Patterns]) -> bool:
    """Return whether an entry is ignored: the nearest .gitignore with a matching pattern decides."""
    for patterns in ignores:
        verdict = patterns.verdict(path, is_folder)
        if verdict is not None:
            return verdict
    return False
