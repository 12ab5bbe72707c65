"""Reports the progress of a run, counted in files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_listeners: list[Callable[[float], None]] = []


def advance(files: float) -> None:
    """Report that this many files are done; parts of a file count as fractions."""
    for listener in _listeners:
        listener(files)


@contextmanager
def listening(listener: Callable[[float], None]) -> Iterator[None]:
    """Pass reports in the body to ``listener``. Worker processes do not report."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
