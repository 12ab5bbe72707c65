"""state: calls one instance three times, and compares outputs and buffers with eager after each."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import torch

from tslint.verify.agreement import complaint, disagreement, is_random, tolerance
from tslint.verify.arguments import run as run_on
from tslint.verify.blame import place
from tslint.verify.difference import first_difference
from tslint.verify.fresh import Encoded, encode
from tslint.verify.outcome import Evidence, Outcome, StageFailed, StageSkipped
from tslint.verify.rewritten import rewritten
from tslint.verify.session import Session, drew, kept_grad_mode, pristine, seed
from tslint.verify.stages.eager import NO_INPUTS

CALLS = 3
_ORDINALS = ("first", "second", "third")
_WAY_OUT = "change it in place (self.{0}.copy_(…), self.{0}.add_(…)), or take it as an input and return it"


def run(session: Session) -> Outcome:
    """Call eager and each compiled module three times, on the first set of inputs."""
    if session.eager is None:
        raise StageSkipped("eager did not pass" if session.inputs else NO_INPUTS)
    if not session.compiled:
        raise StageSkipped("nothing was compiled")
    modes = [mode for mode, outputs in session.outputs.items() if 0 in outputs]
    agreeing = [
        mode
        for mode in modes
        if not disagreement(session, session.eager[0], session.outputs[mode][0], mode, session.inputs[0])
    ]
    if not agreeing:
        differs = "the compiled module already differs from eager on the first call; see compare"
        raise StageSkipped(differs if modes else "no compiled module ran without an error")
    started = time.monotonic()
    try:
        expected = list(_calls(session.built, session))
    except BaseException as error:
        raise StageSkipped(f"eager does not run {CALLS} times in a row: {complaint(error)}") from error
    seconds = time.monotonic() - started
    if seconds > session.request.timeout / 12:
        # The time-out is for the whole target: without this limit, a correct module could fail.
        raise StageSkipped(f"{CALLS} calls of eager take {seconds:.1f} s, too long for the target's time-out")
    values = session.unsteady is None
    # The second and the third call are optimised, and draw random numbers in another order.
    draws = values and drew() and is_random(session.built, session.inputs[0])
    problems: list[str] = []
    evidence: list[Evidence] = []
    shown: list[str] = []
    for mode in agreeing:
        found = _first(session, mode, expected, values and not draws, shown)
        if found:
            text, name = found
            line = rewritten(session.built, name) if mode == "trace" else None
            if line:
                where = place(line["filename"], line["row"])
                text += f"; self.{line['attribute']} gets a new value ({where}), which a trace does not store: "
                text += _WAY_OUT.format(line["attribute"])
                evidence.append(
                    {"kind": "tracer", "code": "TS905", "severity": "error", "message": text, "stack": [line]}
                )
            problems.append(text)
    if problems:
        raise StageFailed("; ".join(problems), *evidence)
    held = len(expected[0][1])
    buffers = f", {held} buffer{'s' if held != 1 else ''}" if held else ""
    return Outcome(detail=f"{CALLS} calls in a row as in eager{buffers}")


_Call = tuple[Encoded, dict[str, torch.Tensor]]


def _calls(module: Any, session: Session) -> Iterator[_Call]:
    """Yield the output of each call, and the buffers after it."""
    runnable, restore = pristine(module)
    try:
        for _ in range(CALLS):
            seed()
            with kept_grad_mode():
                output = encode(run_on(runnable, session.inputs[0]))
            yield output, {name: value.detach().clone() for name, value in runnable.named_buffers()}
    finally:
        restore()


def _first(
    session: Session, mode: str, expected: list[_Call], values: bool, shown: list[str]
) -> tuple[str, str] | None:  # fmt: skip
    """Return the description of the first difference, and the name of the buffer that differs (empty for the output).

    Return None if there is no difference. Report each call that agrees, after ``shown``, the results of other modes.
    """
    allowed = tolerance(session, session.inputs[0])
    calls = _calls(session.compiled[mode], session)
    outputs: list[Encoded] = []
    for number, (output, buffers) in enumerate(expected):
        when = f"on the {_ORDINALS[number]} of {CALLS} calls"
        try:
            mine, others = next(calls)
        except BaseException as error:
            return f"{when}, {mode} raises: {complaint(error)}", ""
        outputs.append(mine)
        for name in buffers:
            if name in others:
                different = first_difference(
                    encode(buffers[name]), encode(others[name]), "in eager", f"in {mode}", allowed, values=values,
                    path=f"buffer {name!r}",
                )  # fmt: skip
                if different:
                    return f"after the {_ORDINALS[number]} call, {different}", name
        different = first_difference(output, mine, "in eager", f"in {mode}", allowed, values=values)
        if different:
            return f"{when}, {different}", ""
        agreed = f"{mode} as in eager on {number + 1} of {CALLS} calls in a row"
        session.report_shown("; ".join([*shown, agreed]))
    shown.append(agreed)
    session.called[mode] = outputs
    return None
