"""Where a report goes: a terminal, a pipe whose reader may leave, or a file."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TextIO

from tslint.cli import Failure, silence_stdout


def wants_color(choice: str, stream: TextIO) -> bool:
    """Whether to style what goes to ``stream``.

    Args:
        choice: ``auto``, ``always`` or ``never``; ``auto`` heeds NO_COLOR and FORCE_COLOR, then asks for a terminal.
        stream: where it goes.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


def emit(text: str, stream: TextIO | None = None) -> None:
    """Write to stdout (or another stream) whatever characters it can show; a reader that has gone is no error."""
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
    """Write bytes to stdout as they are."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        with contextlib.suppress(OSError, ValueError):
            silence_stdout()


def emit_file(text: str, file: Path) -> None:
    """Write a report to a file.

    Raises:
        Failure: it cannot be written.
    """
    try:
        file.write_bytes(text.encode("utf-8", "replace"))
    except OSError as error:
        raise Failure(f"{file}: the report cannot be written: {error.strerror or error}") from error
