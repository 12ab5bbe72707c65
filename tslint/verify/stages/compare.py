"""compare: checks that script, trace and the reloaded archives have the same results as eager."""

from __future__ import annotations

from tslint.verify.difference import first_difference
from tslint.verify.fresh import Encoded
from tslint.verify.outcome import Outcome, StageFailed, StageSkipped
from tslint.verify.session import Session
from tslint.verify.stages.eager import NO_INPUTS

_GRAD_STAYS_ON = (
    "; if forward itself turns grad off: compiled code ignores the decorators of forward, and a trace also ignores "
    "`with torch.no_grad():`, so run the archive under no_grad"
)
_IN_TUPLE = "but in a tuple with None or empty values (accepted)"


def run(session: Session) -> Outcome:
    """Compare structure, dtypes, shapes, ``requires_grad``, and values with ``torch.testing.assert_close``."""
    if session.eager is None:
        raise StageSkipped("eager did not pass" if session.inputs else NO_INPUTS)
    eager = session.eager
    compared = 0
    problems: list[str] = []
    for mode in session.compiled:
        sides = [(session.outputs.get(mode, {}), f"in {mode}")]
        sides.append((session.reloaded.get(mode, {}), f"in {mode} after reload"))
        for outputs, after in sides:
            compared += len(outputs)
            difference = _difference(session, eager, outputs, after)
            if difference:
                problems.append(difference)
                # A difference that exists before the reload exists after it, too: report it only once.
                break
    if problems:
        raise StageFailed("; ".join(problems))
    if not compared:
        raise StageSkipped("no compiled module ran without an error")
    if session.unsteady:
        raise StageSkipped(
            f"the form agrees, but no value can be compared, because two eager runs differ ({session.unsteady}); seed "
            "its random numbers, or, if you only need scripting and saving, list these stages in the configuration"
        )
    accepted = f", {_IN_TUPLE}" if session.tolerance.in_tuple and _differs_by_a_tuple(session, eager) else ""
    return Outcome(detail=f"{compared} output{'s' if compared != 1 else ''} as in eager{accepted}")


def _differs_by_a_tuple(session: Session, eager: list[Encoded]) -> bool:
    """Return whether a compiled module has passed only because a tuple around its output is accepted."""
    found = (output for outputs in session.outputs.values() for output in outputs.items())
    return any(output["kind"] == "tuple" and _size(output) != _size(eager[number]) for number, output in found)


def _size(output: Encoded) -> int | None:
    return len(output["items"]) if output["kind"] == "tuple" else None


def _difference(session: Session, eager: list[Encoded], outputs: dict[int, Encoded], after: str) -> str | None:
    tolerance = session.tolerance
    for number, output in sorted(outputs.items()):
        found = first_difference(
            eager[number], output, "in eager", after, tolerance, values=session.unsteady is None
        )  # fmt: skip
        if found:
            without_grad = found.endswith(f"requires_grad False in eager, True {after}")
            return found + session.set_name(number) + (_GRAD_STAYS_ON if without_grad else "")
    return None
