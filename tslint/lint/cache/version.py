"""Identifies the tool for the cache: this tslint, its rules, and its Python."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from tslint.sources.digest import digest
from tslint.util.version import __version__

# Installed packages that influence which findings there are, or how a fix is written.
_PACKAGES = ("libcst", "pathspec")


def tool_version() -> str | None:
    """Return an identifier of the exact state of the tool; None if it is not known, as in an archive.

    The files are not read: installing or editing them changes their size or time.
    """
    parts = [__version__, sys.version, sys.platform]
    try:
        for folder in _folders():
            parts += _stamps(folder)
        for name in _PACKAGES:
            spec = find_spec(name)
            if spec is not None and spec.origin is not None:
                parts.append(_stamp(spec.origin, os.stat(spec.origin)))
    except (OSError, ImportError, ValueError):
        return None
    return digest("\n".join(parts).encode())


def _folders() -> Iterator[str]:
    package = str(Path(__file__).parents[2])
    yield package
    rules = find_spec("tslint.rules")
    for folder in (rules.submodule_search_locations if rules is not None else None) or ():
        if os.path.dirname(folder) != package:
            yield folder


def _stamps(folder: str) -> list[str]:
    found: list[str] = []
    pending = [folder]
    while pending:
        with os.scandir(pending.pop()) as scan:
            for entry in scan:
                if entry.name.endswith((".py", ".json")):
                    found.append(_stamp(entry.path, entry.stat()))
                elif entry.name != "__pycache__" and entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
    return sorted(found)


def _stamp(path: str, status: os.stat_result) -> str:
    return f"{path} {status.st_size} {status.st_mtime_ns}"
