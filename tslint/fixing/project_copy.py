"""Copies a project with changed texts for some files: copies of its modules, links to everything else."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path


class ProjectCopy:
    """A temporary copy of a project; a context manager that removes it at the end.

    Folders that contain the given files are created anew, with copies of their Python files and links to everything
    else in them; other folders are links. So a module finds the data next to it, and nothing large is copied.

    Args:
        root: the project's folder, with links resolved.
        files: its modules that may be imported, with links resolved.
        texts: the new bytes of the files that differ in the copy.
    """

    def __init__(self, root: Path, files: Iterable[Path], texts: Mapping[Path, bytes]) -> None:
        self.root = root
        self._texts = texts
        self._folders = {root}
        for file in files:
            for folder in file.parents:
                if folder in self._folders or root not in folder.parents:
                    break
                self._folders.add(folder)
        self._scratch = tempfile.TemporaryDirectory(prefix="tslint-", ignore_cleanup_errors=True)
        # The folder keeps its name: if it is a package, its name is part of every module's name.
        self.copy = Path(os.path.realpath(self._scratch.name)) / (root.name or "project")

    def __enter__(self) -> ProjectCopy:
        try:
            self._fill(self.root, self.copy)
        except BaseException:
            self._scratch.cleanup()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._scratch.cleanup()

    def of(self, path: Path) -> Path:
        """Return the path of a file or folder in the copy; paths outside the project are returned unchanged."""
        real = Path(os.path.realpath(path))
        if real == self.root or self.root in real.parents:
            return self.copy / real.relative_to(self.root)
        return path

    def _fill(self, folder: Path, copy: Path) -> None:
        copy.mkdir()
        with os.scandir(folder) as entries:
            for entry in entries:
                path, target = folder / entry.name, copy / entry.name
                if path in self._texts:
                    target.write_bytes(self._texts[path])
                    shutil.copymode(path, target)
                elif path in self._folders:
                    self._fill(path, target)
                elif entry.name.endswith(".py") and entry.is_file():
                    shutil.copy2(path, target)
                elif entry.name != "__pycache__":
                    _link(path, target)


def _link(path: Path, target: Path) -> None:
    try:
        target.symlink_to(path)
    except OSError:  # where links are a privilege
        if path.is_dir():
            shutil.copytree(path, target, dirs_exist_ok=True)
        else:
            shutil.copy2(path, target)
