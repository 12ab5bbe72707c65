"""Finds the user's line that caused an exception or a warning (worker side)."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any

import torch

from tslint.config import shown
from tslint.verify import users
from tslint.verify.messages import headline, runtime_error
from tslint.verify.outcome import Evidence, one_line

TORCH_ROOT = str(Path(torch.__file__).resolve().parent)


def is_users(filename: str) -> bool:
    """Return whether a file is the user's: not torch's, Python's or tslint's, and not an invented one
    (``<string>``).
    """
    return users.is_users(filename, TORCH_ROOT)


def frames(trace: TracebackType | None) -> Iterator[tuple[FrameType, int]]:
    """Yield the frames of a traceback with their rows, outermost first."""
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def traceback_places(trace: TracebackType | None) -> list[dict[str, Any]]:
    """Return the user's frames of a traceback as evidence, outermost first."""
    found = []
    while trace is not None:
        if is_users(trace.tb_frame.f_code.co_filename):
            found.append(instruction(trace.tb_frame.f_code, trace.tb_lineno, trace.tb_lasti))
        trace = trace.tb_next
    return found


def frame_places(frame: FrameType | None) -> list[dict[str, Any]]:
    """Return the user's frames of a running call as evidence, outermost first, starting where tslint called it."""
    found: list[dict[str, Any]] = []
    while frame is not None and not users.is_tslints(frame.f_code.co_filename):
        if is_users(frame.f_code.co_filename):
            found.insert(0, instruction(frame.f_code, frame.f_lineno, frame.f_lasti))
        frame = frame.f_back
    return found


def instruction(code: CodeType, row: int, index: int) -> dict[str, Any]:
    """Return the position of an instruction, with columns (UTF-8 bytes from 0) if this Python knows them."""
    place: dict[str, Any] = {"filename": code.co_filename, "row": row}
    positions = getattr(code, "co_positions", None)  # Python 3.11 and later
    if positions is not None:
        names = ("row", "end_row", "column", "end_column")
        span = next(islice(positions(), index // 2, None), ())
        if span and None not in span:
            place.update(zip(names, span))
    return place


def place(filename: str, row: int) -> str:
    """Return a place such as ``net.py:12``: relative to the working folder, if the file is below it."""
    return f"{shown(Path(filename).resolve())}:{row}"


def culprit(error: BaseException) -> tuple[str, int] | None:
    """Return the innermost line of the user's code that an exception passed through; None if there is no such line.

    For a SyntaxError, it is the line with the error.
    """
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return error.filename, error.lineno
    found = [(frame.f_code.co_filename, row) for frame, row in frames(error.__traceback__)]
    found = [entry for entry in found if is_users(entry[0])]
    return found[-1] if found else None


def describe(error: BaseException, where: bool = True) -> str:
    """Return an exception on one line, with the user's line that caused it."""
    interpreted = runtime_error(str(error), TORCH_ROOT)
    if interpreted:
        return interpreted
    if isinstance(error, SyntaxError):
        text = f"{type(error).__name__}: {error.msg}"
    else:
        lines = [line for line in str(error).splitlines() if line.strip()]
        # Torch ends a line with "at" before the excerpt below it.
        text = f"{type(error).__name__}: {lines[0].strip().removesuffix(' at')}" if lines else type(error).__name__
    line = culprit(error) if where else None
    return one_line(text) + (f" ({place(*line)})" if line else "")


def raised(who: str, error: BaseException) -> str:
    """Describe an exception: ``forward raised ValueError: … (net.py:12)``, or ``forward called sys.exit(3)``."""
    if not isinstance(error, SystemExit):
        return f"{who} raised {describe(error)}"
    line = culprit(error)
    return f"{who} called sys.exit({'' if error.code is None else repr(error.code)})" + (
        f" ({place(*line)})" if line else ""
    )


def print_traceback(error: BaseException) -> None:
    """Print a traceback to stderr, from the user's first frame on; print nothing if it has none."""
    trace = error.__traceback__
    while trace is not None and not is_users(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    if trace is not None:
        with suppress(Exception):  # the user's code may have closed stderr
            traceback.print_exception(type(error), error, trace)


def definition(thing: Any) -> dict[str, Any] | None:
    """Return where a class or a function begins, as ``{"filename", "row"}``; None if its source is not available."""
    import inspect

    try:
        filename = inspect.getsourcefile(thing)
        _, row = inspect.getsourcelines(thing)
    except (OSError, TypeError, IndexError, SyntaxError):
        return None
    return {"filename": str(Path(filename).resolve()), "row": row or 1} if filename else None


def compiling(error: BaseException, whole: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return where the innermost function or class begins that the compiler was compiling when it raised.

    This is for errors that name no line. The compiler's own Python frames contain the function as ``fn`` and the
    submodule as ``nn_module``.

    Args:
        error: the compiler's exception.
        whole: where the whole module is defined: the result if no frame leads to the user's code.
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
    return whole


def at_attribute(error: BaseException) -> str:
    """Return what the compiler was compiling when it raised, to append to its message; empty if that is not known.

    For the type of an attribute, this is `` (attribute 'config')``; for a hook, `` (a hook of Conv1d)`` and what to do
    about it.
    """
    own = isinstance(error, RuntimeError)  # the compiler's own message names what it means, except for a lambda
    if own and "Expected a single top-level function" not in str(error):
        return ""
    for frame, _ in frames(error.__traceback__):
        if frame.f_code.co_name == "infer_type" and frame.f_code.co_filename.startswith(TORCH_ROOT):
            return f" (attribute {frame.f_locals.get('name')!r})"
        if frame.f_code.co_name == "get_hook_stubs" and frame.f_code.co_filename.startswith(TORCH_ROOT):
            return f" (a hook of {type(frame.f_locals.get('nn_module')).__name__}){_removing(frame.f_locals)}"
    return ""


def _removing(compiling: Mapping[str, Any]) -> str:
    """Return what to do about a hook that cannot be compiled: for a hook of torch, which function removes it.

    Empty if that is not known.

    Args:
        compiling: the variables of the compiler's function.
    """
    # The compiler compiles pre-hooks after the forward hooks, so if there is a pre-hook, the error is in it.
    hook = compiling.get("pre_hook") or compiling.get("hook")
    if getattr(hook, "__name__", "") == "<lambda>":
        return "; a lambda cannot be compiled: write the hook as a function"
    module = getattr(type(hook), "__module__", "")
    names = [name for name in dir(sys.modules.get(module)) if re.fullmatch("remove(_[a-z_]+)?", name)]
    if not module.startswith("torch.nn.utils.") or not names:
        return ""
    public = "torch.nn.utils" if hasattr(torch.nn.utils, names[0]) else module
    return f"; before scripting, remove it with {public}.{names[0]}"


def compiler_evidence(stage: str, error: BaseException, whole: dict[str, Any] | None) -> Evidence:
    """Return an error of the compiler as evidence, from which the parent makes a finding."""
    attribute = at_attribute(error)
    return {
        "kind": "compiler",
        "stage": stage,
        "text": f"{headline(str(error))}{attribute}" if attribute else str(error),
        "error": type(error).__name__,
        "fallback": compiling(error, whole),
    }
