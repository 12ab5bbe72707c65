"""Writes a report to a terminal, a pipe or a file."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path
from typing import TextIO

from tslint.cli import Failure, silence_stdout
from tslint.util.atomic import write_bytes


def wants_color(choice: str, stream: TextIO) -> bool:
    """Return whether to style the output of ``stream``.

    Args:
        choice: ``auto``, ``always`` or ``never``; ``auto`` checks NO_COLOR and FORCE_COLOR, then whether the stream
            is a terminal.
        stream: where the output goes.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return os.environ.get("FORCE_COLOR", "0") not in ("", "0") or (stream.isatty() and os.environ.get("TERM") != "dumb")


def emit(text: str, stream: TextIO | None = None) -> None:
    """Write to stdout (or another stream), and replace characters that it cannot show; a closed pipe is not
    an error.
    """
    stream = stream or sys.stdout
    try:
        try:
            stream.write(text)
        except UnicodeEncodeError:
            encoding = stream.encoding or "utf-8"
            stream.write(text.encode(encoding, "replace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        with contextlib.suppress(OSError, ValueError):
            silence_stdout()


def emit_bytes(data: bytes) -> None:
    """Write bytes unchanged to stdout."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        with contextlib.suppress(OSError, ValueError):
            silence_stdout()


def must_be_writable(file: Path) -> None:
    """Check, before a long run, that a report can be written; nothing is left behind.

    Raises:
        Failure: no file can be written there.
    """
    place = Path(os.path.realpath(file))
    if place.is_dir():
        raise Failure(f"{file}: the report cannot be written there: it is a folder; name a file in it")
    if not place.parent.exists():
        raise Failure(f"{file}: the report cannot be written: there is no folder {file.parent}; create it first")
    if not place.parent.is_dir():
        raise Failure(f"{file}: the report cannot be written: {file.parent} is not a folder")
    if not os.access(place if place.exists() else place.parent, os.W_OK):
        raise Failure(f"{file}: the report cannot be written: Permission denied")


def emit_file(text: str, file: Path) -> None:
    """Write a report to a file in one step, so that a reader sees the old one or the new one.

    Raises:
        Failure: the file cannot be written.
    """
    data = text.encode("utf-8", "replace")
    place = Path(os.path.realpath(file))
    try:
        if place.exists() and not stat.S_ISREG(place.stat().st_mode):
            # A device or a pipe cannot be replaced, so the data is written to it.
            place.write_bytes(data)
        else:
            write_bytes(place, data)
    except OSError as error:
        raise Failure(f"{file}: the report cannot be written: {error.strerror or error}") from error
