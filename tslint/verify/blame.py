"""Which line of the user's an exception or a warning comes from (worker side)."""

from __future__ import annotations

import os
import sysconfig
import traceback
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

import torch

from tslint.config import shown
from tslint.verify.outcome import one_line

TORCH_ROOT = str(Path(torch.__file__).resolve().parent)
_OWN_ROOT = str(Path(__file__).resolve().parents[1])


@cache
def _foreign_roots() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    return tuple(str(Path(root).resolve()) + os.sep for root in (TORCH_ROOT, _OWN_ROOT, paths["stdlib"]))


@cache
def is_users(filename: str) -> bool:
    """Whether a file is neither torch's, nor Python's, nor tslint's, nor made up (``<string>``).

    Site-packages lies inside the standard library's folder, and what a user verifies may well be installed there.
    """
    if filename.startswith("<"):
        return False
    path = str(Path(filename).resolve())
    torch_root, own_root, stdlib = _foreign_roots()
    installed = f"{os.sep}site-packages{os.sep}" in path or f"{os.sep}dist-packages{os.sep}" in path
    return not path.startswith((torch_root, own_root)) and (installed or not path.startswith(stdlib))


def frames(trace: TracebackType | None) -> Iterator[tuple[FrameType, int]]:
    """The frames of a traceback with their rows, outermost first."""
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def place(filename: str, row: int) -> str:
    """``net.py:12``: relative to the working folder where it lies below."""
    return f"{shown(Path(filename).resolve())}:{row}"


def culprit(error: BaseException) -> tuple[str, int] | None:
    """The innermost line of the user's that an exception passed through."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return error.filename, error.lineno
    found = [(frame.f_code.co_filename, row) for frame, row in frames(error.__traceback__)]
    found = [entry for entry in found if is_users(entry[0])]
    return found[-1] if found else None


def describe(error: BaseException, where: bool = True) -> str:
    """An exception on one line, with the user's line that it comes from."""
    if isinstance(error, SystemExit):
        text = f"sys.exit({error.code!r}) was called" if error.code is not None else "sys.exit() was called"
    elif isinstance(error, SyntaxError):
        text = f"{type(error).__name__}: {error.msg}"
    else:
        lines = [line for line in str(error).splitlines() if line.strip()]
        text = f"{type(error).__name__}: {lines[0].strip()}" if lines else type(error).__name__
    line = culprit(error) if where else None
    return one_line(text) + (f" ({place(*line)})" if line else "")


def print_traceback(error: BaseException) -> None:
    """The user's part of a traceback, on stderr."""
    trace = error.__traceback__
    while trace is not None and not is_users(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    if trace is not None:
        traceback.print_exception(type(error), error, trace)


def definition(thing: Any) -> dict[str, Any] | None:
    """Where a class or a function begins, as ``{"filename", "row"}``; None where its source is not to be had."""
    import inspect

    try:
        filename = inspect.getsourcefile(thing)
        _, row = inspect.getsourcelines(thing)
    except (OSError, TypeError, IndexError, SyntaxError):
        return None
    return {"filename": str(Path(filename).resolve()), "row": row or 1} if filename else None


def compiling(error: BaseException, module: torch.nn.Module) -> dict[str, Any] | None:
    """What the compiler was at when it raised, for errors that name no line: the innermost function or class.

    The compiler's own Python frames know: they hold the function as ``fn`` and the submodule as ``nn_module``.
    """
    for frame, _ in reversed(list(frames(error.__traceback__))):
        if not frame.f_code.co_filename.startswith(TORCH_ROOT):
            continue
        for name in ("fn", "nn_module"):
            thing = frame.f_locals.get(name)
            thing = type(thing) if isinstance(thing, torch.nn.Module) else thing
            found = definition(thing) if callable(thing) else None
            if found and is_users(found["filename"]):
                return found
    return definition(type(module))
