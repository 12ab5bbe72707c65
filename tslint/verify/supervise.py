"""Supervises one worker: reads its events, enforces its time limit, and cleans up."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import signal
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from tslint.verify.processes import FORKS, Process, ServerDied, Start
from tslint.verify.request import Request
from tslint.verify.time_limit import waited

# Loading torch takes seconds, from a cold disk a minute; that time is not the user's code.
LOADING_TIMEOUT = 300.0
# If a target waits for a core on a busy machine, its time-out is extended: by at most three times its length.
_MOST_WAITING = 3.0

Event = Mapping[str, Any]


@dataclass
class Ending:
    """How a worker ended.

    Args:
        kind: ``done`` if it reported the end; ``died`` if its process ended before; ``timeout`` if the time was over.
        status: the exit status as ``subprocess`` returns it; None if it was killed because of its time-out.
        stack: the user's and torch's frames at the end, innermost first, as far as faulthandler knew them.
        waited: the seconds in which it had work to do and no core, if its time was over.
    """

    kind: Literal["done", "died", "timeout"] = "died"
    status: int | None = None
    stack: list[tuple[str, int, str]] = field(default_factory=list)
    waited: float = 0.0


class Worker:
    """One worker process for one target.

    Args:
        request: the target.
        start: starts the process.
        stop: is set when the result is no longer needed.

    Iterating yields the worker's events; ``ending`` is valid afterwards. On exit from the ``with``, the process and all
    processes that it started are killed.
    """

    def __init__(self, request: Request, start: Start, stop: threading.Event) -> None:
        self.request = request
        self.ending = Ending()
        self._start = start
        self._stop = stop
        self._process: Process | None = None
        self._asked: int | None = None
        # The seconds for which each process has waited for a core, by the id of the process.
        self._waited: dict[int, float] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="tslint-", ignore_cleanup_errors=True)
        self._queue: queue.Queue[Event | None] = queue.Queue()

    def __enter__(self) -> Worker:
        try:
            self._process = self._start(Path(self._folder.name))
        except ServerDied as error:
            # Handled like a worker that dies while it loads torch.
            self.ending = Ending("died", error.status)
            return self
        except BaseException:
            self._folder.cleanup()
            raise
        # The lifeline stays open: when it is closed, the worker knows that its result is no longer needed.
        with contextlib.suppress(OSError):
            self._process.lifeline.write(self.request.dumps().encode() + b"\n")
            self._process.lifeline.flush()
        self._reader = threading.Thread(target=self._read, args=(self._process.events,), daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        process = self._process
        if process is not None:
            process.kill()
            with contextlib.suppress(OSError, ValueError):
                process.lifeline.close()
        self._folder.cleanup()

    def __iter__(self) -> Iterator[Event]:
        if self._process is None:
            return
        deadline = time.monotonic() + LOADING_TIMEOUT
        while True:
            event = self._next(deadline)
            if event is None:
                return
            if event["event"] == "hello":
                deadline = time.monotonic() + self.request.timeout - self._waiting()
            elif event["event"] == "more-time":
                # Work that tslint does only once (building a program) does not count as the target's time.
                deadline += event["seconds"]
            elif event["event"] == "process":
                # The stage runs in another process.
                self._asked = event["pid"]
            yield event
            if event["event"] == "done":
                self.ending.kind = "done"
                return

    def _next(self, deadline: float) -> Event | None:
        assert self._process is not None
        while not self._stop.is_set():
            left = deadline + min(self._waiting(), _MOST_WAITING * self.request.timeout) - time.monotonic()
            if left <= 0:
                self.ending.kind, self.ending.waited = "timeout", self._waiting()
                self._ask_where()
                return None
            try:
                # Wait in short steps: the process may have ended while one of its children keeps the pipe open.
                return self._queue.get(timeout=min(left, 0.1))
            except queue.Empty:
                status = self._process.poll()
                if status is not None:
                    return self._last_event(status)
        return None

    def _waiting(self) -> float:
        """Return the seconds in which the target had work to do, but other processes had the cores."""
        assert self._process is not None
        current = self._asked or self._process.pid
        self._waited[current] = max(self._waited.get(current, 0.0), waited(current))
        return sum(self._waited.values())

    def _last_event(self, status: int) -> Event | None:
        self._reader.join(timeout=0.5)
        try:
            event = self._queue.get_nowait()
        except queue.Empty:
            event = None
        if event is None:
            self.ending = Ending("died", status, self._stack())
        return event

    def _read(self, stream: IO[bytes]) -> None:
        # Closed by the reading thread: a grandchild in another session may keep the pipe open for long.
        with stream:
            for line in stream:
                try:
                    event = json.loads(line)
                    event["event"]
                except (ValueError, TypeError, KeyError):
                    # The line is not an event; a sitecustomize may have printed it, for example.
                    os.write(2, line)
                    continue
                self._queue.put(event)

    def _ask_where(self) -> None:
        if not FORKS or self._process is None:
            return
        with contextlib.suppress(OSError):
            os.kill(self._asked or self._process.pid, signal.SIGUSR1)
            self._wait_for_stack()
        self.ending.stack = self._stack()

    def _wait_for_stack(self) -> None:
        """Wait until the stack is completely written, which can take time on a busy machine."""
        file = Path(self._folder.name) / "stack"
        quiet, size = 0, 0
        for _ in range(40):
            time.sleep(0.1)
            now = file.stat().st_size
            quiet = quiet + 1 if now == size else 0
            size = now
            if size and quiet == 4:
                return

    def _stack(self) -> list[tuple[str, int, str]]:
        try:
            text = (Path(self._folder.name) / "stack").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return []
        return frames(text)


def frames(text: str) -> list[tuple[str, int, str]]:
    """Return the frames that faulthandler wrote, innermost first; for several processes, one after the other."""
    return [(file, int(row), name) for file, row, name in re.findall(r'File "(.+)", line (\d+) in (.+)', text)]
