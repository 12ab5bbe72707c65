"""Records every call of the watched functions (worker side).

The interface is three callbacks for a code object's calls; how Python is made to tell of them is an implementation.
:class:`Tracing` stands on ``sys.settrace``: for frames that nobody watches it costs one look into a dict. Measured
against it, ``sys.setprofile`` costs a third more, as it tells of every function of C's, and it hears of no lines.
"""

from __future__ import annotations

import dis
import sys
import threading
from types import CodeType, FrameType
from typing import Any, Protocol

_RETURNS = {dis.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in dis.opmap}
# Lines on which locals are looked at, for each function in all: a loop of a million turns need not be watched for long.
_MOST_LINES = 4000


class Watcher(Protocol):
    """Wants to know of the calls of one code object."""

    lines: bool
    """Whether it wants to know of lines, too."""

    def called(self, frame: FrameType) -> None:
        """A call begins: the arguments are bound."""

    def at_line(self, frame: FrameType) -> None:
        """A line is about to run."""

    def returned(self, frame: FrameType, value: Any) -> None:
        """A call ends with a value, and with no exception."""


class Watch(Protocol):
    """Finds who watches a code object."""

    def __call__(self, code: CodeType, frame: FrameType) -> Watcher | None:
        """Asked once for each code object."""


class Observer(Protocol):
    """Tells watchers of calls while it is entered as a context manager."""

    def __enter__(self) -> Observer: ...

    def __exit__(self, *_: object) -> None: ...


class Tracing:
    """An :class:`Observer` by ``sys.settrace``.

    Args:
        watch: who wants to know of a code object.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._locals: dict[CodeType, _Local | None] = {}

    def __enter__(self) -> Observer:
        threading.settrace(self._global)
        sys.settrace(self._global)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        threading.settrace(None)

    def _global(self, frame: FrameType, event: str, argument: Any) -> _Local | None:
        code = frame.f_code
        try:
            local = self._locals[code]
        except KeyError:
            watcher = self._watch(code, frame)
            local = self._locals[code] = _Local(watcher) if watcher is not None else None
        if local is None:
            return None
        local.watcher.called(frame)
        if not local.lines:
            frame.f_trace_lines = False
        return local


class _Local:
    """What Python calls for the events of one watched code object."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        self.lines = _MOST_LINES if watcher.lines else 0

    def __call__(self, frame: FrameType, event: str, argument: Any) -> _Local:
        if event == "line":
            self.lines -= 1
            self.watcher.at_line(frame)
            if self.lines <= 0:
                frame.f_trace_lines = False
        elif event == "return":
            # An exception that leaves the frame is recorded as one that returns None.
            if argument is not None or frame.f_code.co_code[frame.f_lasti] in _RETURNS:
                self.watcher.returned(frame, argument)
        return self
