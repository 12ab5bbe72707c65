"""Limits the time of the user's Python in stages that try extra inputs (worker side)."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType


class OutOfTime(BaseException):
    """Raised in the middle of the user's code; ``except Exception`` does not catch it."""


def waited(process: int | str = "self") -> float:
    """Return the seconds in which a process was ready to run and had no core; 0 if the system does not report it."""
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


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
        """Return the seconds that this process has computed, so that a stage tries as many inputs on a busy machine as
        on an idle one.
        """
        return min(self.wall, time.process_time() - self._own)


class Budget:
    """The seconds that a stage may use.

    Args:
        seconds: how many seconds from now on, measured by :class:`Clock`.
        wall: how many elapsed seconds at most, without those in which the process waited for a core.
    """

    def __init__(self, seconds: float, wall: float = 0.0) -> None:
        self._clock, self._seconds, self._wall = Clock(), seconds, max(seconds, wall)
        self._waited = waited()

    @property
    def left(self) -> float:
        """Return the remaining seconds; 0 when they are used up."""
        wall = self._clock.wall - (waited() - self._waited)
        return max(0.0, min(self._seconds - self._clock.spent, self._wall - wall))

    def __bool__(self) -> bool:
        return self.left > 0


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Limit the body to the given seconds, because a variant of the inputs may turn a ``while`` into an infinite loop.

    The limit only interrupts between Python's instructions, on the main thread, and if there is ``SIGALRM``; otherwise
    only the target's time-out applies.

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
