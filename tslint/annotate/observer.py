"""Records every call of the observed functions (worker side).

The interface consists of three callbacks for the calls of a code object; it does not depend on how Python reports them.
:class:`Tracing` uses ``sys.settrace``, with which a frame that is not observed costs one lookup in a dict.
``sys.setprofile`` would cost a third more, because it also reports C functions, and it does not report lines.
"""

from __future__ import annotations

import dis
import sys
import threading
from types import CodeType, FrameType
from typing import Any, Protocol

_RETURNS = {dis.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in dis.opmap}
# The number of lines at which the locals of a function are inspected, in all its calls: after that, a loop shows
# nothing new.
_MOST_LINES = 4000


class Watcher(Protocol):
    """Receives the calls of one code object."""

    lines: bool
    """Whether the watcher also needs lines."""

    def called(self, frame: FrameType) -> None:
        """Handle the beginning of a call; its arguments are bound."""

    def at_line(self, frame: FrameType) -> None:
        """Handle a line that is about to run."""

    def returned(self, frame: FrameType, value: Any) -> None:
        """Handle the end of a call that returns a value, without an exception."""


class Watch(Protocol):
    """Finds the watcher of a code object."""

    def __call__(self, code: CodeType, frame: FrameType) -> Watcher | None:
        """Return the watcher of a code object, None for code that is not watched; called once for each code object."""


class Observer(Protocol):
    """Reports calls to watchers, inside a ``with`` statement."""

    def __enter__(self) -> Observer: ...

    def __exit__(self, *_: object) -> None: ...


class Tracing:
    """An :class:`Observer` that uses ``sys.settrace``.

    Args:
        watch: returns the watcher of a code object.
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
    """The trace function for one observed code object."""

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
            # An exception that leaves the frame is reported as an event that returns None, so the instruction decides.
            if argument is not None or frame.f_code.co_code[frame.f_lasti] in _RETURNS:
                self.watcher.returned(frame, argument)
        return self
