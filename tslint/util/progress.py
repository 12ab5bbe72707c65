"""Reports how far a run has got, counted in files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_listeners: list[Callable[[float], None]] = []


def advance(files: float) -> None:
    """Tell that work worth so many files is done; parts of a file count as such."""
    for listener in _listeners:
        listener(files)


@contextmanager
def listening(listener: Callable[[float], None]) -> Iterator[None]:
    """Hand what is told meanwhile to ``listener``. Processes that share the work tell nothing of their own."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
