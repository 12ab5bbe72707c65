"""freeze: checks that ``torch.jit.freeze`` keeps the results of each archive.

The result of ``torch.jit.optimize_for_inference`` is checked as well. It is an optional further step, so an error there
is reported but never fails the stage.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from tslint.verify.arguments import run as run_on
from tslint.verify.blame import TORCH_ROOT, describe
from tslint.verify.difference import Tolerance, each_tensor, first_difference, greatest
from tslint.verify.fresh import Encoded, encode
from tslint.verify.limits import memory, out_of_memory
from tslint.verify.messages import headline, runtime_error
from tslint.verify.outcome import Evidence, Outcome, StageFailed, StageSkipped, one_line
from tslint.verify.session import Session, seed
from tslint.verify.stages.state import CALLS

# The allowed difference of outputs, because freezing folds weights: in rounding errors of the largest value; in single
# precision, 1.2e-4 of this value.
_STEPS = 1000


def run(session: Session) -> Outcome:
    """Freeze each archive, run the frozen and the unfrozen module until both are optimised, and compare the results."""
    if not session.archives:
        raise StageSkipped("nothing was saved")
    said: list[str] = []
    problems: list[str] = []
    refused: list[str] = []
    drifted: list[Evidence] = []
    for mode, path in session.archives.items():
        try:
            module, twin = session.compiled.to_run(mode, path), session.compiled.load(path)
        except Exception as error:
            if out_of_memory(str(error)):
                raise
            refused.append(f"{mode}: cannot be loaded: {describe(error, where=False)}")
            continue
        if not hasattr(module, "training"):
            said.append(f"{mode}: frozen already")
            continue
        try:
            frozen = torch.jit.freeze(twin.eval())
        except BaseException as error:
            if out_of_memory(str(error)):
                raise
            reason = one_line(headline(str(error)) or describe(error, where=False))
            refused.append(f"{mode}: cannot be frozen: {reason}")
            continue
        try:
            report = functools.partial(_report, session, said, mode)
            compared = _side_by_side(session, mode, module.eval(), frozen, report)
        except StageFailed as error:
            problems.append(f"{mode}: {error.outcome.detail}")
            continue
        said.append(f"{mode}: {compared.words}")
        _report(session, said)
        if compared.drifts:
            drifted.append(session.drifts(f"{mode}: freezing changes {compared.words}"))
        # Free them: the next step loads one more module.
        del module, twin, frozen
        said[-1] += _optimised(session, mode, path, compared.first)
    if problems:
        raise StageFailed("; ".join(problems))
    if refused:
        # The unfrozen module works, so nothing is wrong with it: there is just no frozen module to compare.
        return Outcome("unavailable", "; ".join([*refused, *said]), tuple(drifted))
    return Outcome(detail="; ".join(said), evidence=tuple(drifted))


def _report(session: Session, said: list[str], mode: str = "", words: str = "") -> None:
    """Report the results of the earlier modes, and the results of this mode so far."""
    session.report_shown("; ".join([*said, f"{mode}: {words}"] if mode else said))


def _optimised(session: Session, mode: str, path: Path, before: Encoded | None) -> str:
    """Run an archive after ``optimize_for_inference`` on the first set of inputs, and return a remark on the result.

    The remark is empty if there is nothing to compare with, or if this torch does not have the function.

    Args:
        session: the session of the target.
        mode: ``script`` or ``trace``.
        path: the path of the archive.
        before: the result of the unfrozen module on these inputs; None if there is none.
    """
    optimise = getattr(torch.jit, "optimize_for_inference", None)
    if optimise is None or before is None:
        return ""
    arguments = session.inputs[min(session.outputs[mode])]
    try:
        module = optimise(session.compiled.load(path).eval())
        after = _call(module, arguments)
    except Exception as error:
        if out_of_memory(str(error)):
            # Freezing itself has a result, and this step never changes the verdict.
            return f" (optimize_for_inference could not be judged: {memory(session.request)})"
        reason = runtime_error(str(error), TORCH_ROOT) or one_line(headline(str(error)) or describe(error))
        return f", but after optimize_for_inference it raises: {reason}"
    values = session.unsteady is None
    found = first_difference(
        before, after, "before optimize_for_inference", "after it", _tolerance(session), values=values
    )
    return f", but optimize_for_inference changes it: {found}" if found else ", and optimize_for_inference works"


@dataclass
class _Compared:
    """The comparison of an unfrozen module with the frozen one, call by call.

    Args:
        values: whether values are compared.
        first: the result of the unfrozen module's first call on the first inputs; None if no call succeeded.
        runs: how many calls agreed.
        drift, size: the greatest difference so far (within the tolerance), and the largest value of that tensor.
        drifts: whether there was a difference that other stages would not allow.
    """

    values: bool
    first: Encoded | None = None
    runs: int = 0
    drift: float = 0.0
    size: float = 0.0
    drifts: bool = False

    @property
    def words(self) -> str:
        """Return how the values of the frozen module differ, for the report."""
        if not self.runs:
            return "frozen, but not run"
        if not self.values:
            return "frozen and run; values not compared, as two eager runs differ"
        return f"values of up to {self.size:.3g} drift by up to {self.drift:.2g}" if self.drift else "the same values"


def _side_by_side(session: Session, mode: str, module: Any, frozen: Any, report: Callable[[str], None]) -> _Compared:
    """Call both modules alternately on every set of inputs, so that their states stay the same.

    Args:
        session: the session of the target.
        mode: ``script`` or ``trace``.
        module, frozen: the two modules.
        report: called with a remark on the calls so far.

    Raises:
        StageFailed: the frozen module raises, or differs by more than the tolerance.
    """
    tolerance, found = _tolerance(session), _Compared(session.unsteady is None)
    numbers = sorted(session.outputs.get(mode, {}))
    # The executor profiles the first call and optimises in the second; the third runs the optimised code.
    known = iter(session.called.get(mode, []) if len(session.inputs) == 1 else [])
    for _ in range(CALLS):
        for number in numbers:
            try:
                given = next(known, None)
                before = _without_grad(given) if given else _call(module, session.inputs[number])
            except Exception as error:
                if out_of_memory(str(error)):
                    raise
                continue  # if a second call of the unfrozen module fails, the stage `state` reports it
            if number == numbers[0]:
                found.first = found.first or before
            try:
                after = _call(frozen, session.inputs[number])
            except Exception as error:
                reason = runtime_error(str(error), TORCH_ROOT) or describe(error)
                raise StageFailed(f"the frozen module raises{session.set_name(number)}: {reason}") from error
            _compare(session, found, before, after, tolerance, session.set_name(number))
            report(f"{found.words} in {found.runs} of {CALLS * len(numbers)} calls")
    return found


def _compare(
    session: Session, found: _Compared, before: Encoded, after: Encoded, tolerance: Tolerance, which: str
) -> None:  # fmt: skip
    """Compare one call, and record the drift.

    Raises:
        StageFailed: the difference is larger than the tolerance.
    """
    difference = first_difference(before, after, "before freezing", "after it", tolerance, values=found.values)
    if difference:
        raise StageFailed(f"{difference}{which}")
    found.runs += 1
    if found.values:
        found.drift, found.size = max((found.drift, found.size), greatest(before, after))
        # If the user has configured the tolerance, differences within it need no remark.
        usual = not tolerance.steps or first_difference(before, after, "", "", session.tolerance) is None
        found.drifts = found.drifts or not usual


def _tolerance(session: Session) -> Tolerance:
    """Return the configured tolerance for freezing, or else that of the target, or else a wide default.

    The default is wider than in other stages, because freezing folds weights and so rounds differently.
    """
    request = session.request
    rtol = request.rtol if request.freeze_rtol is None else request.freeze_rtol
    atol = request.atol if request.freeze_atol is None else request.freeze_atol
    steps = 0.0 if rtol is not None or atol is not None else _STEPS
    return replace(session.tolerance, rtol=rtol, atol=atol, steps=steps)


def _call(module: Any, arguments: tuple[Any, ...]) -> Encoded:
    seed()
    return _without_grad(encode(run_on(module, arguments)))


def _without_grad(encoded: Encoded) -> Encoded:
    """Remove ``requires_grad``: freezing turns parameters into constants without gradient, which does not count as a
    difference.
    """
    for tensor in each_tensor(encoded):
        tensor["requires_grad"] = False
    return encoded
