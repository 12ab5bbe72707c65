"""Stores the cache: one file for each kind of run, written in one step.

If the disk fails, the run continues as if there were no cache.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence
from pathlib import Path

from tslint.config import Settings
from tslint.sources.digest import digest

FOLDER = ".tslint_cache"
_MAGIC = b"tslint cache 1\n\n"
_SUFFIX = ".run"
_MOST = 32  # the number of files that are kept, the most recently used
_LARGEST = 256 * 1024 * 1024  # the number of bytes that they may have together
_DAY = 24 * 60 * 60.0
_INSIDE = {
    "CACHEDIR.TAG": (
        "Signature: 8a477f597d28d172789f06886806bc55\n"
        "# This folder is tslint's cache: it can be deleted at any time. See https://bford.info/cachedir/\n"
    ),
    ".gitignore": "# What tslint keeps to be faster the next time.\n*\n",
}


class Store:
    """The folder of the cache.

    Args:
        folder: the folder; it is created when the first entry is written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)

    @classmethod
    def of(cls, settings: Settings) -> Store | None:
        """Return the store of a project; None if nothing can be stored.

        Args:
            settings: the store is in their ``cache_dir``, or below their root.
        """
        if settings.cache_dir is not None:
            return cls(settings.cache_dir)
        folder = settings.root / FOLDER
        # A link that is part of a project must not redirect writing to another folder.
        return None if folder.is_symlink() else cls(folder)

    def read(self, name: str, sections: int | None = None) -> list[bytes] | None:
        """Return the first sections of an entry; None if there is no entry, or it is incomplete.

        Args:
            name: the name of the entry.
            sections: how many to read; None for all.
        """
        try:
            with open(self._path(name), "rb") as file:
                if file.read(len(_MAGIC)) != _MAGIC:
                    return None
                count = int.from_bytes(file.read(2), "big")
                heads = [(int.from_bytes(file.read(8), "big"), file.read(32)) for _ in range(count)]
                # Checked before the sections are read: a corrupt length must not allocate all memory.
                if file.tell() + sum(length for length, _ in heads) != os.fstat(file.fileno()).st_size:
                    return None
                found = []
                for length, mark in heads[:sections]:
                    data = file.read(length)
                    if digest(data).encode() != mark:
                        return None
                    found.append(data)
                self._used(file.fileno())
        except (OSError, ValueError, MemoryError):
            return None
        return found if sections is None or len(found) == sections else None

    def write(self, name: str, sections: Sequence[bytes]) -> bool:
        """Replace an entry in one step; return whether that was possible."""
        heads = [len(each).to_bytes(8, "big") + digest(each).encode() for each in sections]
        temporary = os.path.join(self._folder, f"{name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
        try:
            self._make()
            try:
                with open(temporary, "xb") as file:
                    file.writelines([_MAGIC, len(sections).to_bytes(2, "big"), *heads, *sections])
                os.replace(temporary, self._path(name))
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise
            self._prune()
        except OSError:
            return False
        return True

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, name + _SUFFIX)

    @staticmethod
    def _used(file: int) -> None:
        # The modification time shows which entries are in use; updating it once a day is enough.
        if os.utime in os.supports_fd and time.time() - os.fstat(file).st_mtime > _DAY:
            with contextlib.suppress(OSError):
                os.utime(file)

    def _make(self) -> None:
        if not os.path.isdir(self._folder):
            os.makedirs(self._folder, exist_ok=True)
        for name, text in _INSIDE.items():
            path = os.path.join(self._folder, name)
            if not os.path.exists(path):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)

    def _prune(self) -> None:
        """Remove the least recently used entries if there are too many or they are too large, and files that
        interrupted runs have left behind.
        """
        entries = []
        with os.scandir(self._folder) as scan:
            for entry in scan:
                with contextlib.suppress(OSError):
                    if entry.name.endswith(_SUFFIX):
                        status = entry.stat()
                        entries.append((status.st_mtime, status.st_size, entry.path))
                    elif entry.name.endswith(".tmp") and time.time() - entry.stat().st_mtime > _DAY:
                        os.unlink(entry.path)
        entries.sort(reverse=True)
        total = 0
        for number, (_, size, path) in enumerate(entries):
            total += size
            if number and (number >= _MOST or total > _LARGEST):
                with contextlib.suppress(OSError):
                    os.unlink(path)
