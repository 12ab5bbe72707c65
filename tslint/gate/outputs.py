"""Recognizes archives and Triton configurations that ``tslint verify`` wrote."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tslint.verify.archive_entry import NAME


def by_verify(path: Path) -> bool:
    """Return whether ``verify`` wrote a file: an archive that contains ``tslint.json``, or a file that belongs to such
    an archive.
    """
    if path.name == "config.pbtxt":
        return by_verify(path.parent / "1" / "model.pt")
    if path.suffix == ".ptl":
        return by_verify(path.with_suffix(".pt"))
    if path.suffix != ".pt":
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.endswith(f"/extra/{NAME}") for name in archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return False
