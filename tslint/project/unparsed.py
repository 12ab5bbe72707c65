"""Decides from a file's bytes whether the file may bind a name, so that most files need not be parsed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

_STAR = re.compile(rb"import[\s\\]*\*")
_STARRED = re.compile(rb"^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+\*", re.MULTILINE)
_UTF_8 = re.compile(rb"coding[:=][ \t]*[\"']?utf-?8", re.IGNORECASE)


class Unparsed:
    """The files of a project that have been read, but not parsed.

    Args:
        read: returns the bytes of a file; None if it cannot be read, or has been parsed.
        find: returns the file of a dotted name below a folder.
        found: called with a file, the dotted name of a module that it imports, and the file of that module.
    """

    def __init__(
        self,
        read: Callable[[Path], bytes | None],
        find: Callable[[tuple[Path, str]], Path | None],
        found: Callable[[Path, str, Path], object],
    ) -> None:
        self._read = read
        self._find = find
        self._found = found
        self._names: dict[Path, frozenset[str]] = {}
        self._stars: dict[Path, tuple[tuple[str, Path], ...] | None] = {}

    def may_bind(self, path: Path, module: str, name: str) -> bool:
        """Return whether a module may have a name at its top level, according to its text and the texts of the modules
        from which it imports everything.

        Args:
            path: the file of the module.
            module: its dotted name.
            name: the name.
        """
        pending, seen, encoded = [(module, path)], {path}, name.encode()
        while pending:
            module, path = pending.pop()
            data = self._read(path)
            if data is None or encoded in data or not (name.isascii() and _is_utf_8(data)):
                return True
            if path not in self._stars:
                self._stars[path] = self._targets(path, module, data)
            stars = self._stars[path]
            if stars is None:
                return True
            for target, file in stars:
                self._found(path, target, file)
                if file not in seen:
                    seen.add(file)
                    pending.append((target, file))
        return False

    def _targets(self, path: Path, module: str, data: bytes) -> tuple[tuple[str, Path], ...] | None:
        """Return the modules that a file imports with ``*``, and their files; None if that is not known."""
        stars = len(_STAR.findall(data))
        targets = list(_named(path, module, data)) if stars else []
        found = [(f"{package}.{name}", self._file_below(folder, name)) for folder, package, name in targets]
        known = tuple((target, file) for target, file in found if file is not None)
        return known if len(known) == stars else None

    def _file_below(self, folder: Path, name: str) -> Path | None:
        """Return the file of a module, given its dotted name relative to a folder; None if there is none."""
        if folder not in self._names:
            with suppress(OSError):
                self._names[folder] = frozenset(os.listdir(folder))
        # Most modules are files of that name. Listing the folder once is faster than asking for each name.
        names = self._names.get(folder, frozenset())
        only_file = name not in names and f"{name}.py" in names
        return folder / f"{name}.py" if only_file else self._find((folder, name))


def _named(path: Path, module: str, data: bytes) -> Iterator[tuple[Path, str, str]]:
    """Yield the folder, the dotted name of its package, and the name of the module for each relative star import."""
    for dots, name in _STARRED.findall(data):
        folder, package = path.parent, module if path.stem == "__init__" else module.rpartition(".")[0]
        for _ in dots[1:]:
            folder, package = folder.parent, package.rpartition(".")[0]
        if dots and name and package:
            yield folder, package, name.decode()


def _is_utf_8(data: bytes) -> bool:
    """Return whether no encoding but UTF-8 is declared in the first two lines."""
    head = data[: data.find(b"\n", data.find(b"\n") + 1)]
    return b"coding" not in head or _UTF_8.search(head) is not None
