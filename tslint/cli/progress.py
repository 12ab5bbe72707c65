"""Shows progress on a terminal during a long run, and removes it before anything else is printed."""

from __future__ import annotations

import os
import shutil
import threading
import time
from types import TracebackType
from typing import TextIO

from tslint.util.progress import listening

DELAY = 1.0  # seconds; a shorter run shows no progress
_INTERVAL = 0.2
_CLEAR = "\r\x1b[K"


class Progress:
    """Shows the current step of a run and its duration, inside a ``with`` statement.

    Args:
        stream: stderr; nothing is shown if it is not a terminal, or on a CI service.
        label: the current work, such as ``Checking 312 files``.
        files: how many files there are; 0 if the completed share should not be shown.
        quiet: whether to show nothing.
    """

    def __init__(self, stream: TextIO, label: str, files: int = 0, *, quiet: bool = False) -> None:
        self._stream = stream
        self._label = label
        self._files = files
        self._done = 0.0
        self._told = listening(self._advance)
        self._active = not quiet and stream.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("CI")
        self._since = 0.0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Progress:
        if self._active:
            self._since = time.monotonic()
            self._told.__enter__()
            self._thread = threading.Thread(target=self._tick, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread is not None:
            self._told.__exit__(None, None, None)
            self._stop.set()
            self._thread.join()

    def _advance(self, files: float) -> None:
        self._done += files

    def _tick(self) -> None:
        if self._stop.wait(DELAY):
            return
        try:
            while True:
                share = f", {min(self._done / self._files, 0.99):.0%}" if self._done and self._files else ""
                text = f"{self._label} ... {time.monotonic() - self._since:.0f} s{share}"
                # A line that wraps could not be removed.
                self._write(_CLEAR + text[: shutil.get_terminal_size().columns - 1])
                if self._stop.wait(_INTERVAL):
                    self._write(_CLEAR)
                    return
        except (OSError, ValueError):
            # The terminal has been closed; the run continues.
            return

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
