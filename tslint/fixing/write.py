"""Writes fixed files: all of them or none."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence

from tslint.config import shown
from tslint.sources.file import SourceFile
from tslint.util.atomic import write_bytes


class NotWritten(Exception):
    """A file was not changed; the message is one line with the reason."""


def write_all(changed: Sequence[tuple[SourceFile, SourceFile]]) -> None:
    """Replace several files: all of them or none.

    Args:
        changed: each file before and after.

    Raises:
        NotWritten: a file changed since it was read, or cannot be written; the message names it. Files that had already
            been written are restored.
    """
    done: list[tuple[SourceFile, SourceFile]] = []
    try:
        for before, _ in changed:
            check(before)
        for before, after in changed:
            write(before, after)
            done.append((after, before))
    except NotWritten as error:
        for after, old in reversed(done):
            with contextlib.suppress(NotWritten):
                write(after, old)
        raise NotWritten(f"{shown(before.path)}: {error}") from error
    except BaseException:
        for after, old in reversed(done):
            with contextlib.suppress(NotWritten):
                write(after, old)
        raise


def check(before: SourceFile) -> None:
    """Check that a file is unchanged and can be written.

    Raises:
        NotWritten: the file has changed, or cannot be written.
    """
    path = os.path.realpath(before.path)
    try:
        with open(path, "rb") as file:
            found = file.read()
    except OSError as error:
        raise NotWritten(f"not fixed: cannot be read: {error.strerror or error}") from error
    # A file is also skipped if its encoding can encode one text in several ways; there are few such encodings.
    if found != before.encode():
        raise NotWritten("not fixed: the file has changed; run tslint again")
    if not os.access(path, os.W_OK):
        raise NotWritten("not fixed: the file is read-only")


def write(before: SourceFile, after: SourceFile) -> None:
    """Replace ``before`` by ``after`` on disk, in one step.

    Links are followed; the file keeps its mode and, if that is allowed, its owner.

    Raises:
        NotWritten: the file changed since it was read, or cannot be written.
    """
    check(before)
    try:
        write_bytes(before.path, after.encode())
    except OSError as error:
        raise NotWritten(f"not fixed: cannot be written: {error.strerror or error}") from error
