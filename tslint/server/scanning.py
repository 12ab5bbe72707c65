"""Reads what the files of a folder import."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from tslint.project.import_graph import Imports
from tslint.server.configuration import Session
from tslint.sources import reading
from tslint.sources.discovery import discover
from tslint.sources.file import UnreadableSource


def folder_imports(home: Path, session: Session, *, whole: bool) -> Iterator[tuple[Path, Imports]]:
    """Yield the imports of the Python files of a folder, as ``tslint check`` would find them.

    Args:
        home: the folder.
        session: defines what is excluded.
        whole: whether its subfolders are included.
    """
    if whole:
        settings = session.settings
        files: Iterable[Path] = discover(
            [home], root=settings.root, exclude=(*settings.exclude, *settings.extend_exclude)
        ).files
    else:
        files = sorted(Path(entry.path) for entry in os.scandir(home) if entry.name.endswith(".py") and entry.is_file())
    for path in files:
        try:
            yield path, Imports.of(reading.read(path))
        except UnreadableSource:
            continue
