"""Limits the time of the user's Python in stages that try extra inputs (worker side)."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfTime(BaseException):
    """Raised in the middle of the user's code; no ``except Exception`` catches it."""


class Budget:
    """The seconds that a stage may use.

    Args:
        seconds: from now on.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Return the remaining seconds; 0 when they are used up."""
        return max(0.0, self._end - time.monotonic())

    def __bool__(self) -> bool:
        return self.left > 0


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Limit the body to some seconds, because a variant of the inputs may turn a ``while`` into an infinite loop.

    This only works between Python's instructions, on the main thread, and with ``SIGALRM``; otherwise only the target's
    time-out applies.

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
