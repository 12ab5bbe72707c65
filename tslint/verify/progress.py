"""Shows the running stage: a temporary line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import threading
import time
from typing import TextIO

from tslint.verify.request import Request
from tslint.verify.results import StageResult, TargetVerdict

_CLEAR = "\r\x1b[K"


class Running:
    """Shows the running stage and its time, on a terminal only.

    Args:
        stream: the terminal.
        active: False if the stream is not a terminal.
    """

    def __init__(self, stream: TextIO, active: bool) -> None:
        self._stream = stream
        self._active = active
        self._lock = threading.Lock()
        self._label = ""
        self._since = 0.0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def show(self, label: str) -> None:
        """Show ``label`` with a running clock, until :meth:`clear`."""
        if not self._active:
            return
        with self._lock:
            self._label, self._since = label, time.monotonic()
            self._draw()
        if self._thread is None:
            self._thread = threading.Thread(target=self._tick, daemon=True)
            self._thread.start()

    def clear(self) -> None:
        """Remove the line."""
        if not self._active:
            return
        with self._lock:
            if self._label:
                self._stream.write(_CLEAR)
                self._stream.flush()
            self._label = ""

    def close(self) -> None:
        """Remove the line, and stop the thread that writes it."""
        self._stop.set()
        self.clear()

    def _tick(self) -> None:
        while not self._stop.wait(0.2):
            with self._lock:
                if self._label:
                    self._draw()

    def _draw(self) -> None:
        self._stream.write(f"{_CLEAR}  . {self._label:<8}{time.monotonic() - self._since:6.1f} s")
        self._stream.flush()


class StderrProgress:
    """Shows progress on stderr, next to a report for programs; its format is not part of a contract.

    Args:
        stream: stderr.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._running = Running(stream, self._terminal)
        self._title = ""

    def target_started(self, request: Request) -> None:
        """Remember the name of the target."""
        self._title = request.title

    def stage_started(self, name: str) -> None:
        """Show the stage until it ends."""
        self._running.show(f"{self._title}: {name}")

    def stage_ended(self, result: StageResult) -> None:
        """Print a plain line if the terminal cannot show a temporary one."""
        self._running.clear()
        if not self._terminal and result.status != "skipped":
            self._say(f"{self._title}: {result.name} {result.status} ({result.seconds:.2f} s)")

    def target_ended(self, verdict: TargetVerdict) -> None:
        """Print a line if the target could not be judged, because the report may go to a file."""
        self._running.clear()
        if verdict.verdict == "error":
            self._say(f"error: {verdict.target}: {verdict.reason}")

    def close(self) -> None:
        """Remove the line from the terminal."""
        self._running.close()

    def _say(self, line: str) -> None:
        encoding = self._stream.encoding or "utf-8"
        self._stream.write(line.encode(encoding, "replace").decode(encoding) + "\n")
        self._stream.flush()
