"""Writes a file in one step: readers see the old or the new content, never a part, even if writing is interrupted."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path


def write_bytes(path: Path, data: bytes) -> None:
    """Replace the content of a file, or create it; links are followed; the mode and (if allowed) the owner are kept.

    The new content is first written completely to disk, under another name in the same folder. It then replaces the old
    one, so a crash leaves at most that other file behind.

    Raises:
        OSError: the file cannot be written; it is unchanged.
    """
    target = os.path.realpath(path)
    try:
        status = os.stat(target)
    except FileNotFoundError:
        status = None
    if status is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "the file is read-only")
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".tslint-", suffix=".tmp")
    try:
        try:
            _write(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)
        if status is None:
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
        else:
            _own(temporary, status)
            os.chmod(temporary, stat.S_IMODE(status.st_mode))
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


@contextlib.contextmanager
def completed(path: Path) -> Iterator[Path]:
    """Yield another name in the same folder to write a file under; rename the file if nothing is raised."""
    part = path.with_name(f".{path.name}.part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _write(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def _own(path: str, status: os.stat_result) -> None:
    """Give a file the owner and the group of another one, as far as that is allowed."""
    if not hasattr(os, "chown"):
        return
    own = os.stat(path)
    if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
        # A user who may not change the owner may still be allowed to set the group.
        for user, group in ((status.st_uid, status.st_gid), (-1, status.st_gid)):
            with contextlib.suppress(OSError):
                os.chown(path, user, group)
                return
