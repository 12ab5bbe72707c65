"""The thread beside the main loop: it checks the newest texts, and drops outdated results."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from tslint.project.import_graph import Imports
from tslint.server.analyst import Analyst
from tslint.server.answers import Answer, Request, failed
from tslint.server.cancellation import Cancelled
from tslint.server.configuration import Session
from tslint.server.scanning import folder_imports
from tslint.util.deep_stack import FRAMES, STACK_BYTES

Value = TypeVar("Value")
# Seconds to wait for further changes, so that several key strokes cause only one check.
DELAY = 0.015


class Worker:
    """Owns the analyst and its thread.

    Args:
        answer: called in that thread with each answer.
        complain: called in that thread with problems of the configuration.
    """

    def __init__(self, answer: Callable[[Answer], None], complain: Callable[[str], None]) -> None:
        self._answer = answer
        self._analyst = Analyst(complain, self._scan)
        self._change = threading.Condition()
        self._request: Request | None = None
        self._due = 0.0
        self._jobs: deque[Callable[[], None]] = deque()
        self._stopped = False
        self._last = Request()

    def start(self) -> None:
        """Start the thread, whose stack is large enough for deeply nested code."""
        sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
        _begin(self._run, "tslint-analysis")

    def stop(self) -> None:
        """Stop after the current job."""
        with self._change:
            self._stopped = True
            self._change.notify()

    def judge(self, request: Request) -> None:
        """Request a check of the newest state; it includes unfinished requests."""
        with self._change:
            if self._request is not None:
                request = replace(
                    request,
                    changed=request.changed | self._request.changed,
                    renewed=request.renewed or self._request.renewed,
                )
            self._request = request
            self._due = time.monotonic() + DELAY
            self._change.notify()

    def submit(self, job: Callable[[Analyst, Request], Value]) -> Future[Value]:
        """Run another job of the analyst, with the last request."""
        future: Future[Value] = Future()

        def run() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(job(self._analyst, self._last))
                except Exception as error:
                    future.set_exception(error)

        with self._change:
            self._jobs.append(run)
            self._change.notify()
        return future

    def outdated(self) -> bool:
        """Return whether a newer request is waiting, or the worker has been stopped."""
        return self._request is not None or self._stopped

    def _newer(self) -> bool:
        return self.outdated() or bool(self._jobs)

    def _run(self) -> None:
        self._warm_up()
        # Imported modules stay forever; without this, garbage collection would traverse them again and again, which
        # takes as long as a check.
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)
        again: Request | None = None
        while True:
            with self._change:
                while not (self._stopped or self._jobs or self._request is not None or again is not None):
                    self._change.wait()
                if self._stopped:
                    return
                job = self._jobs.popleft() if self._jobs else None
                if job is None and self._request is not None:
                    wait = self._due - time.monotonic()
                    if wait > 0:
                        self._change.wait(wait)
                        continue
                    again, self._request = self._request, None
            if job is not None:
                job()
                continue
            assert again is not None
            again = self._judged(again)

    def _judged(self, request: Request) -> Request | None:
        """Handle a request; return the rest of it if a newer one has arrived."""
        self._last = request
        try:
            for each in self._analyst.update(request, self._newer):
                self._answer(each)
        except Cancelled:
            # The analyst remembers which texts have changed.
            return replace(request, changed=frozenset(), renewed=False)
        except Exception as error:
            for document in request.documents:
                for each in failed(document, request, error):
                    self._answer(each)
        return None

    @staticmethod
    def _warm_up() -> None:
        """Import what the first text needs while the client initialises."""
        from tslint.lint.analysis import analyse
        from tslint.lint.selection import by_code
        from tslint.sources.file import SourceFile

        by_code()
        analyse([SourceFile(Path.cwd() / "warm_up.py", _SAMPLE)])

    def _scan(self, home: Path, session: Session) -> None:
        """Read a folder in another thread, so that typing never waits for the disk."""
        whole = session.settings.source is not None or home in self._last.folders

        def read() -> None:
            try:
                found = list(folder_imports(home, session, whole=whole))
            except OSError:
                return
            self.submit(lambda analyst, _: self._adopt(analyst, home, found))

        _begin(read, "tslint-scan")

    def _adopt(self, analyst: Analyst, home: Path, found: Iterable[tuple[Path, Imports]]) -> None:
        analyst.adopt(home, found)
        with self._change:
            if self._request is None:
                self._request = replace(self._last, changed=frozenset(), renewed=False)


def _begin(run: Callable[[], None], name: str) -> None:
    """Start a thread that can parse deeply nested code."""
    size = threading.stack_size(STACK_BYTES)
    try:
        threading.Thread(target=run, name=name, daemon=True).start()
    finally:
        threading.stack_size(size)


_SAMPLE = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x):
        found = []
        for row in self.linear(x):
            found.append(row.relu())
        try:
            return torch.stack(found)
        finally:
            print(found)
"""
