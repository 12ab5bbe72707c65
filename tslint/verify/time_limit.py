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


class Clock:
    """Measures time without the seconds in which other processes occupied the cores."""

    def __init__(self) -> None:
        self._wall, self._own = time.monotonic(), time.process_time()

    @property
    def wall(self) -> float:
        """Return the elapsed seconds."""
        return time.monotonic() - self._wall

    @property
    def spent(self) -> float:
        """Return the seconds of this process, so that a busy machine tries the same as an idle one."""
        return min(self.wall, time.process_time() - self._own)


class Budget:
    """The seconds that a stage may use.

    Args:
        seconds: from now on, by :class:`Clock`.
        wall: seconds on the wall after which they are spent as well.
    """

    def __init__(self, seconds: float, wall: float = 0.0) -> None:
        self._clock, self._seconds, self._wall = Clock(), seconds, max(seconds, wall)

    @property
    def left(self) -> float:
        """Return the remaining seconds; 0 when they are used up."""
        return max(0.0, min(self._seconds - self._clock.spent, self._wall - self._clock.wall))

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
