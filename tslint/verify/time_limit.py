"""Limits the time of the user's Python in stages that try extra inputs (worker side)."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfTime(BaseException):
    """Raised in the middle of the user's code; no ``except Exception`` of theirs takes it."""


class Budget:
    """Seconds that a stage may spend.

    Args:
        seconds: from now on.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds; 0 when they are spent."""
        return max(0.0, self._end - time.monotonic())

    def __bool__(self) -> bool:
        return self.left > 0


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Run what follows for so long: a variant of the inputs may turn a ``while`` into one without an end.

    Only between Python's instructions, only on the main thread, and only where there is ``SIGALRM``; elsewhere the
    time-out of the target is all there is.

    Raises:
        OutOfTime: the time is over.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.01))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
