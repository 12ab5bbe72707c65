"""Watching one worker: its events come in, its time runs out, and nothing of it stays behind."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from tslint.verify.request import Request

# Loading torch takes seconds, on a cold disk a minute; it is not the user's code that is slow there.
LOADING_TIMEOUT = 300.0
_WORKER = Path(__file__).with_name("worker.py")
_POSIX = os.name == "posix"

Event = Mapping[str, Any]


@dataclass
class Ending:
    """How a worker came to its end.

    Args:
        kind: ``done`` where it said so; ``died`` and ``timeout`` where it was in the middle of something.
        status: as ``subprocess`` gives it; None where it was killed for its time-out.
        stack: the user's and torch's frames at the end, innermost first, as far as faulthandler knew them.
    """

    kind: Literal["done", "died", "timeout"] = "died"
    status: int | None = None
    stack: list[tuple[str, int, str]] = field(default_factory=list)


class Worker:
    """One worker process for one target.

    Args:
        request: what it is to do.

    Iterating yields its events; ``ending`` is valid afterwards. It is a context manager: on the way out, for whatever
    reason, the process and all that it started is killed.
    """

    def __init__(self, request: Request) -> None:
        self.request = request
        self.ending = Ending()
        self._folder = tempfile.TemporaryDirectory(prefix="tslint-", ignore_cleanup_errors=True)
        self._queue: queue.Queue[Event | None] = queue.Queue()

    def __enter__(self) -> Worker:
        environment = {key: value for key, value in os.environ.items() if key != "PYTORCH_JIT"}
        try:
            self._process = subprocess.Popen(
                # By path, so that nothing in the working folder can stand in for a module that the worker imports.
                [sys.executable, str(_WORKER), self._folder.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
                start_new_session=_POSIX,
            )
        except BaseException:
            self._folder.cleanup()
            raise
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # It stays open: its end tells the worker that nobody is waiting for it any more.
        with contextlib.suppress(OSError):
            self._process.stdin.write(self.request.dumps().encode() + b"\n")
            self._process.stdin.flush()
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                # The reader may still hold a pipe that a grandchild in a session of its own keeps open.
                with contextlib.suppress(OSError, ValueError):
                    if stream is self._process.stdin or not self._reader.is_alive():
                        stream.close()
        self._folder.cleanup()

    def __iter__(self) -> Iterator[Event]:
        deadline = time.monotonic() + LOADING_TIMEOUT
        while True:
            event = self._next(deadline)
            if event is None:
                return
            if event["event"] == "hello":
                deadline = time.monotonic() + self.request.timeout
            yield event
            if event["event"] == "done":
                self.ending.kind = "done"
                return

    def _next(self, deadline: float) -> Event | None:
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                self.ending.kind = "timeout"
                self._ask_where()
                return None
            try:
                # Short naps: the process may have ended while a child of it holds the pipe open.
                return self._queue.get(timeout=min(left, 0.1))
            except queue.Empty:
                if self._process.poll() is not None:
                    return self._last_event()

    def _last_event(self) -> Event | None:
        self._reader.join(timeout=0.5)
        try:
            event = self._queue.get_nowait()
        except queue.Empty:
            event = None
        if event is None:
            self.ending = Ending("died", self._process.wait(), self._stack())
        return event

    def _read(self, stream: IO[bytes]) -> None:
        for line in stream:
            try:
                event = json.loads(line)
                event["event"]
            except (ValueError, TypeError, KeyError):
                # A sitecustomize that prints, for instance.
                os.write(2, line)
                continue
            self._queue.put(event)

    def _ask_where(self) -> None:
        if not _POSIX:
            return
        with contextlib.suppress(OSError):
            self._process.send_signal(signal.SIGUSR1)
            time.sleep(0.3)
        self.ending.stack = self._stack()

    def _stack(self) -> list[tuple[str, int, str]]:
        try:
            text = (Path(self._folder.name) / "stack").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return []
        # Several threads may be listed; the one that matters is the first of a crash, the main one of a time-out.
        threads = re.split(r"^(?=(?:Current thread|Thread) )", text, flags=re.MULTILINE)
        frames = [
            [(file, int(row), name) for file, row, name in re.findall(r'File "(.+)", line (\d+) in (.+)', thread)]
            for thread in threads
        ]
        frames = [stack for stack in frames if stack]
        current = [stack for stack, thread in zip(frames, [t for t in threads if "File " in t]) if "Current" in thread]
        return (current or frames or [[]])[0]

    def _kill(self) -> None:
        if _POSIX:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
