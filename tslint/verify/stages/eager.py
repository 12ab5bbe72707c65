"""eager: runs the module in Python, twice on every set of inputs, with the same seed."""

from __future__ import annotations

from typing import Any

import torch

from tslint.verify.blame import print_traceback, raised
from tslint.verify.difference import Tolerance, first_difference, greatest
from tslint.verify.fresh import Encoded
from tslint.verify.outcome import Outcome, StageFailed, StageSkipped
from tslint.verify.session import Session, call, same_parameters

# A share of the largest value: if eager differs from itself by more, its output is not a reference.
_MOST_NOISE = 0.01
NO_INPUTS = "no inputs; give them with --inputs 'torch.rand(1, 3)', or let TARGET return (module, inputs)"


def run(session: Session) -> Outcome:
    """Run forward; an exception in it fails the stage."""
    if not session.inputs:
        raise StageSkipped(NO_INPUTS)
    tolerance = session.tolerance
    outputs: list[Encoded] = []
    same: list[bool] = []

    def look(ran: torch.nn.Module) -> None:
        same.append(ran is not session.built and same_parameters(ran, session.built))

    for number, arguments in enumerate(session.inputs):
        try:
            output, again = call(session.built, arguments, look=look), call(session.built, arguments)
        except BaseException as error:
            print_traceback(error)
            raise StageFailed(f"{raised('forward', error)}{session.set_name(number)}") from error
        outputs.append(output)
        difference = first_difference(output, again, "in one run", "in the next", tolerance)
        noise = _noise(output, again) if difference else 0.0
        session.noise = max(session.noise, noise)
        if difference and not noise and session.unsteady is None:
            session.unsteady = difference + session.set_name(number)
    session.eager, session.shares = outputs, all(same)
    shape = "; ".join(dict.fromkeys(summary(output) for output in outputs))
    if session.unsteady:
        return Outcome(detail=f"{shape}; two runs with the same seed differ: {session.unsteady}")
    if session.noise:
        said = f"two runs with the same seed differ by up to {session.noise:.2g}"
        evidence = session.drifts(f"{said}; later stages allow four times that")
        return Outcome(detail=f"{shape}; {said}, which later stages allow as well", evidence=(evidence,))
    return Outcome(detail=shape)


def _noise(output: Encoded, again: Encoded) -> float:
    """Return the greatest difference between two outputs' values; 0 if it is large, or if something else differs."""
    apart, size = greatest(output, again)
    alike = first_difference(output, again, "", "", Tolerance(noise=apart)) is None
    return apart if alike and apart <= _MOST_NOISE * size else 0.0


def summary(output: Encoded) -> str:
    """Return the form of an output as text, such as ``(float32[2, 3], int)``."""
    kind: str = output["kind"]
    if kind == "tensor":
        value: Any = output["value"]
        return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    if kind == "object":
        return str(output["type"])
    if kind == "dict":
        return "{" + _some([f"{key.get('value')!r}: {summary(item)}" for key, item in output["items"]]) + "}"
    if kind in ("tuple", "list"):
        opening, closing = "()" if kind == "tuple" else "[]"
        return opening + _some([summary(item) for item in output["items"]]) + closing
    return kind


def _some(parts: list[str]) -> str:
    return ", ".join([*parts[:3], f"… {len(parts) - 3} more"] if len(parts) > 4 else parts)
