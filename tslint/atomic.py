"""Writes a file in one step: readers see the old content or the new one, never a part."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path


def write_bytes(path: Path, data: bytes) -> None:
    """Put ``data`` in the place of a file, or make it; links are followed, the mode is kept.

    Raises:
        OSError: it cannot be written, and is as it was.
    """
    target = os.path.realpath(path)
    exists = os.path.exists(target)
    if exists and not os.access(target, os.W_OK):
        raise PermissionError(13, "the file is read-only")
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".tslint-", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if exists:
            shutil.copymode(target, temporary)
        else:
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
