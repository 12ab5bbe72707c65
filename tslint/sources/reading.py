"""Reads files as notebooks or Python files, by their names."""

from __future__ import annotations

from pathlib import Path

from tslint.sources.file import SourceFile, UnreadableSource


def decode(path: Path, data: bytes) -> SourceFile:
    """Return the source in ``data``; for a notebook, its cells.

    Raises:
        UnreadableSource: the data is not text in the declared encoding, the encoding is not known, or the data is not a
            notebook.
    """
    if path.suffix == ".ipynb":
        # Imported here, because most runs have no notebook.
        from tslint.sources.notebook import Notebook

        return Notebook.from_bytes(path, data)
    return SourceFile.from_bytes(path, data)


def read(path: Path) -> SourceFile:
    """Read and decode ``path``.

    Raises:
        UnreadableSource: the file cannot be opened or decoded.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableSource(f"cannot be read: {error.strerror or error}") from error
    return decode(path, data)
