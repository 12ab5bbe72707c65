"""Stores digests: a line of JSON for each file, and next to them the digested data."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Line = dict[str, Any]
"""The record of a file: ``corpus``, ``file``, digests under ``text`` and the STEPS, and possibly ``error``."""
Key = tuple[str, str]

STEPS = ("findings", "safe", "unsafe")


def digest(data: bytes) -> str:
    """Return the digest of stored data."""
    return hashlib.sha256(data).hexdigest()[:16]


def lines_of(values: Iterable[Mapping[str, Any]]) -> bytes:
    """Return values as lines of JSON, in a canonical form."""
    dumped = (json.dumps(value, ensure_ascii=False, sort_keys=True) for value in values)
    return "".join(line + "\n" for line in dumped).encode("utf-8", "surrogatepass")


class Store:
    """Texts by their digests, each in a compressed file.

    Args:
        lines: the file with the lines that refer to them.
    """

    def __init__(self, lines: Path) -> None:
        self._folder = lines.with_suffix(".d").absolute()

    def put(self, data: bytes) -> str:
        """Store something; return its digest."""
        name = digest(data)
        path = self._path(name)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            # Several processes may store the same text at the same time.
            partial = path.with_suffix(f".{os.getpid()}")
            partial.write_bytes(gzip.compress(data, mtime=0))
            partial.replace(path)
        return name

    def get(self, name: str) -> bytes:
        """Return what was stored under a digest."""
        return gzip.decompress(self._path(name).read_bytes())

    def values(self, name: str) -> list[dict[str, Any]]:
        """Return what was stored as lines of JSON."""
        return [json.loads(line) for line in self.get(name).decode("utf-8", "surrogatepass").split("\n") if line]

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / f"{name[2:]}.gz"


class Digests:
    """The lines of a file, and the options with which they were made.

    Args:
        path: the path of the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = Store(path)
        self.made: dict[str, Any] = {}
        self.lines: dict[Key, Line] = {}
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        # An interrupted run may have left an incomplete line.
        self.whole = text.endswith("\n") or not text
        for line in text.split("\n")[:-1]:
            try:
                value: dict[str, Any] = json.loads(line)
            except ValueError:
                continue
            if "made" in value:
                self.made = value["made"]
            else:
                self.lines[value["corpus"], value["file"]] = value

    def begin(self, made: dict[str, Any]) -> None:
        """Write the options for the following lines, unless they are already there."""
        if not self.whole:
            self._append(b"\n")
        if not self.made:
            self.made = made
            self._append(lines_of([{"made": made}]))

    def add(self, lines: Iterable[Line]) -> None:
        """Write the lines of files."""
        lines = list(lines)
        self.lines.update({(line["corpus"], line["file"]): line for line in lines})
        self._append(lines_of(lines))

    def _append(self, data: bytes) -> None:
        with self.path.open("ab") as out:
            out.write(data)
