"""trace: traces the module with the first set of inputs, and compares the trace with eager."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import torch
from torch.jit import TracerWarning

from tslint.verify.arguments import NoTraceByName, traced
from tslint.verify.blame import describe, frame_places, is_users, place, traceback_places
from tslint.verify.difference import first_difference
from tslint.verify.fresh import Encoded
from tslint.verify.messages import headline
from tslint.verify.outcome import Evidence, Outcome, StageFailed, StageSkipped, one_line
from tslint.verify.rewritten import changed_since, kept, rewritten
from tslint.verify.session import Session, itself, pristine, reset, seed
from tslint.verify.stages.eager import NO_INPUTS, summary
from tslint.verify.stages.script import run_compiled

_MISMATCH = "of the traced function does not match"
_NOT_STRICT = "; if it does not change, set strict = false for the target (strict=False in tslint.verify)"
_NONDETERMINISTIC = "Trace had nondeterministic nodes"


def run(session: Session) -> Outcome:
    """Trace with torch's own check; a failed check fails the stage, and a TracerWarning is only reported."""
    if "trace" not in session.request.modes:
        raise StageSkipped("not asked for (mode is script)")
    if isinstance(session.built, torch.jit.ScriptModule):
        return _already_compiled(session)
    if not session.inputs:
        raise StageSkipped(NO_INPUTS)
    if session.eager is None:
        raise StageSkipped("eager did not pass")
    session.must_be_initialised()
    module, restore = (itself if session.forked else pristine)(session.built)
    heard, before = _Warnings(), kept(module)
    session.warned = heard.evidence
    differs: Evidence | None = None
    try:
        with heard.listening():
            seed()
            session.compiled["trace"] = traced(
                module, session.inputs[0], check_trace=True, strict=session.request.strict
            )
    except NoTraceByName as error:
        return Outcome("unavailable", str(error))
    except torch.jit.TracingCheckError as error:
        differs = _checked(error, changed_since(before, module), session.built)
        if session.unsteady is None:
            raise StageFailed(f"the trace check failed: {differs['message']}", *heard.evidence, differs) from error
    except BaseException as error:
        said = _said(error, session.eager[0])
        raise StageFailed(said, *heard.evidence, _raised(error, session.place, said)) from error
    finally:
        restore()
    if differs:
        # Two eager runs differ as well, so the check has nothing to compare with, nor have later stages.
        heard.evidence.append({**differs, "severity": "warning"})
        session.compiled["trace"] = compiled(session)
    # Tracing and its check run the module, which may change the parameters and buffers that the trace shares with it.
    reset(module, session.built)
    try:
        run_compiled(session, "trace")
    except StageFailed as error:
        raise StageFailed(error.outcome.detail, *heard.evidence) from error
    if heard.mismatch:
        _recheck(session, heard)
    found = len(heard.evidence) - bool(differs)
    remarks = [f"{found} TracerWarning{'s' if found != 1 else ''}"] if found else []
    remarks += ["a second trace differs, but so do two eager runs"] if differs else []
    return Outcome(detail="; ".join(remarks), evidence=tuple(heard.evidence))


def _said(error: BaseException, output: Encoded) -> str:
    """Return the tracer's error on one line. Where it helps, add eager's output, or the setting that allows such an
    output.
    """
    said = one_line(headline(str(error)) or describe(error, where=False))
    if "can be output from traced functions" in said:
        said += f": forward gives {summary(output)}"
    if "strict=False" in str(error):
        # Torch's advice to return another container follows; it is so long that the setting would be cut off.
        said = f"{said.partition('. ')[0]}{_NOT_STRICT}"
    return said


def compiled(session: Session) -> Any:
    """Return a new trace of the module."""
    if isinstance(session.built, torch.jit.ScriptModule):
        return session.built
    seed()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return traced(pristine(session.built)[0], session.inputs[0], check_trace=False, strict=session.request.strict)


def _recheck(session: Session, heard: _Warnings) -> None:
    """Compare again with equal seeds and equal state, if torch's check finds values other than eager's.

    Torch's check runs the trace and the module one after the other, so it also reports differences due to random
    numbers and state.

    Raises:
        StageFailed: the values still differ.
    """
    assert session.eager is not None
    tolerance = session.tolerance
    difference = first_difference(
        session.eager[0],
        session.outputs["trace"][0],
        "in eager",
        "in the trace",
        tolerance,
        values=session.unsteady is None,
    )
    if difference:
        raise StageFailed(f"the trace check failed: {difference}", *heard.evidence)


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


def _checked(error: Exception, changed: str, module: torch.nn.Module) -> Evidence:
    """Return evidence for the first line of the user's code that gave another operator in a second trace, and the
    reason.
    """
    message = _check(error)
    stack: list[dict[str, Any]] = []
    for line in str(error).splitlines():
        found = re.search(r"# (.+?):(\d+):\d+\s*$", line)
        if found and line.lstrip()[:1] in "-+%" and is_users(found.group(1)):
            # The graph only contains rows; all its columns are 0.
            stack = [{"filename": found.group(1), "row": int(found.group(2))}]
            break
    if message.startswith("Graphs differed"):
        where = f" ({place(stack[0]['filename'], stack[0]['row'])})" if stack else ""
        message = f"a second trace records other operators or constants{where}{_why(changed, module)}"
    return {"kind": "tracer", "severity": "error", "message": message, "stack": stack}


def _why(changed: str, module: torch.nn.Module) -> str:
    if not changed:
        return "; what forward computes depends on something besides its inputs"
    line = rewritten(module, changed)
    where = f" ({place(line['filename'], line['row'])})" if line else ""
    return (
        f"; forward keeps state, as self.{changed} has another value afterwards{where}; give it that value in "
        "__init__, or, if no result depends on it, trace with check_trace=False"
    )


def _raised(error: BaseException, whole: dict[str, Any] | None, said: str) -> Evidence:
    evidence = {"kind": "compiler", "stage": "trace", "text": said, "error": type(error).__name__}
    stack = traceback_places(error.__traceback__)
    # The tracer's errors about outputs do not refer to a line of the user's code.
    return {**evidence, "stack": stack} if stack else {**evidence, "fallback": whole}


class _Warnings:
    """Records TracerWarnings with their call path; other warnings are passed on."""

    def __init__(self) -> None:
        self.evidence: list[Evidence] = []
        self.mismatch = False
        self._seen: set[tuple[Any, ...]] = set()
        self._show: Callable[..., None] = warnings.showwarning

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Record warnings in the body."""
        with warnings.catch_warnings():
            # Torch's own modules are silenced, because its shape checks warn very often.
            warnings.filterwarnings("always", category=TracerWarning)
            warnings.filterwarnings("ignore", category=TracerWarning, module=r"torch\.(?!jit)")
            self._show = warnings.showwarning
            warnings.showwarning = self._hear
            yield

    def _hear(
        self, message: Warning | str, category: type[Warning], filename: str, lineno: int,
        file: TextIO | None = None, line: str | None = None,
    ) -> None:  # fmt: skip
        if not issubclass(category, TracerWarning):
            self._show(message, category, filename, lineno, file, line)
            return
        text = str(message)
        if _NONDETERMINISTIC in text:
            return
        if _MISMATCH in text:
            self.mismatch = True
        else:
            stack = frame_places(sys._getframe(1))
            first = stack[-1] if stack else {"filename": filename, "row": lineno}
            key = (first["filename"], first["row"], text)
            if key not in self._seen:
                self._seen.add(key)
                self.evidence.append({"kind": "tracer", "severity": "warning", "message": text, "stack": stack})
