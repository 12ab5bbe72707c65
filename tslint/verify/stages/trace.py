"""trace: ``torch.jit.trace`` records the module on the first set of inputs and checks the record against eager."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable
from types import FrameType
from typing import Any, TextIO

import torch
from torch.jit import TracerWarning

from tslint.verify.blame import culprit, definition, describe, frames, is_users
from tslint.verify.messages import headline
from tslint.verify.outcome import Evidence, Outcome, StageFailed, StageSkipped, one_line
from tslint.verify.session import Session, cloned, pristine, seed
from tslint.verify.stages.eager import NO_INPUTS
from tslint.verify.stages.script import run_compiled

_MISMATCH = "of the traced function does not match"
_NONDETERMINISTIC = "Trace had nondeterministic nodes"


def run(session: Session) -> Outcome:
    """Trace with torch's own check; a TracerWarning is evidence, a failing check fails the stage."""
    if "trace" not in session.request.modes:
        raise StageSkipped("not asked for (mode is script)")
    if isinstance(session.built, torch.jit.ScriptModule):
        return _already_compiled(session)
    if not session.inputs:
        raise StageSkipped(NO_INPUTS)
    if session.eager is None:
        raise StageSkipped("eager did not run through")
    module, restore = pristine(session.built)
    heard = _Warnings()
    try:
        with heard:
            seed()
            session.compiled["trace"] = torch.jit.trace(module, cloned(session.inputs[0]), check_trace=True)
    except torch.jit.TracingCheckError as error:
        raise StageFailed(f"the trace check failed: {_check(error)}", *heard.evidence, _checked(error)) from error
    except BaseException as error:
        said = one_line(headline(str(error)) or describe(error, where=False))
        raise StageFailed(said, *heard.evidence, _raised(error, session.built, said)) from error
    finally:
        restore()
    # Where the module draws random numbers, torch compares two draws: that says nothing about the trace.
    if heard.mismatch and not heard.nondeterministic and not session.unsteady:
        raise StageFailed(f"the trace check failed: {one_line(heard.mismatch)}", *heard.evidence)
    try:
        run_compiled(session, "trace")
    except StageFailed as error:
        raise StageFailed(error.outcome.detail, *heard.evidence) from error
    found = len(heard.evidence)
    detail = f"{found} TracerWarning{'s' if found != 1 else ''}" if found else ""
    if heard.nondeterministic:
        detail = "; ".join(filter(None, [detail, "draws random numbers, so torch's trace check says nothing"]))
    return Outcome(detail=detail, evidence=tuple(heard.evidence))


def _already_compiled(session: Session) -> Outcome:
    if "script" in session.compiled:
        raise StageSkipped("already compiled: tracing returns it unchanged")
    session.compiled["trace"] = session.built
    run_compiled(session, "trace")
    return Outcome(detail="already compiled: tracing returns it unchanged")


def _check(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    raised = [lines[n + 1] for n, line in enumerate(lines[:-1]) if line == "Exception:"]
    return one_line((said or raised or lines[1:] or ["the check raised"])[0])


def _checked(error: Exception) -> Evidence:
    """The first line of the user's whose operator differed between two traces."""
    for line in str(error).splitlines():
        place = re.search(r"# (.+?):(\d+):(\d+)\s*$", line)
        if place and line.lstrip()[:1] in "-+%" and is_users(place.group(1)):
            row, column = int(place.group(2)), int(place.group(3))
            span = {"filename": place.group(1), "row": row, "column": column}
            return {"kind": "tracer", "severity": "error", "message": _check(error), "stack": [span]}
    return {"kind": "tracer", "severity": "error", "message": _check(error), "stack": []}


def _raised(error: BaseException, module: torch.nn.Module, said: str) -> Evidence:
    stack = [
        {"filename": frame.f_code.co_filename, "row": row}
        for frame, row in frames(error.__traceback__)
        if is_users(frame.f_code.co_filename)
    ]
    if not stack or culprit(error) is None:
        place = definition(type(module))
        stack = [place] if place else []
    return {"kind": "compiler", "stage": "trace", "text": said, "error": type(error).__name__, "stack": stack}


class _Warnings(warnings.catch_warnings):  # type: ignore[type-arg]
    """Hears TracerWarnings with the call path that leads to them; other warnings go where they always go."""

    def __init__(self) -> None:
        super().__init__()
        self.evidence: list[Evidence] = []
        self.mismatch: str | None = None
        self.nondeterministic = False
        self._seen: set[tuple[str, int, str]] = set()

    def __enter__(self) -> Any:
        super().__enter__()
        # Torch silences what comes from its own modules, as its shape checks warn without end.
        warnings.filterwarnings("always", category=TracerWarning)
        warnings.filterwarnings("ignore", category=TracerWarning, module=r"torch\.(?!jit)")
        self._show: Callable[..., None] = warnings.showwarning
        warnings.showwarning = self._hear
        return self

    def _hear(
        self, message: Warning | str, category: type[Warning], filename: str, lineno: int,
        file: TextIO | None = None, line: str | None = None,
    ) -> None:  # fmt: skip
        if not issubclass(category, TracerWarning):
            self._show(message, category, filename, lineno, file, line)
            return
        text = str(message)
        if _NONDETERMINISTIC in text:
            self.nondeterministic = True
        elif _MISMATCH in text:
            self.mismatch = text
        else:
            stack = _stack(sys._getframe(1))
            first = stack[-1] if stack else {"filename": filename, "row": lineno}
            key = (first["filename"], first["row"], text)
            if key not in self._seen:
                self._seen.add(key)
                self.evidence.append({"kind": "tracer", "severity": "warning", "message": text, "stack": stack})


def _stack(frame: FrameType | None) -> list[dict[str, Any]]:
    """The user's frames, outermost first, with columns where this Python knows them."""
    stack: list[dict[str, Any]] = []
    while frame is not None:
        code = frame.f_code
        if is_users(code.co_filename):
            place: dict[str, Any] = {"filename": code.co_filename, "row": frame.f_lineno}
            positions = getattr(code, "co_positions", None)
            if positions is not None:
                row, end_row, column, end_column = list(positions())[frame.f_lasti // 2]
                if None not in (row, end_row, column, end_column):
                    place |= {"row": row, "end_row": end_row, "column": column, "end_column": end_column}
            stack.insert(0, place)
        frame = frame.f_back
    return stack
