"""Handles SIGTERM: ends the run, removes its processes and folders, and prints one line."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from tslint.cli import Failure


@contextmanager
def terminated_in_order() -> Iterator[None]:
    """Run the body so that SIGTERM ends it as an interrupt would.

    Raises:
        Failure: SIGTERM has arrived.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        # A second signal must not interrupt the cleaning up that the first one has started.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Failure("terminated (SIGTERM); nothing was checked")

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
