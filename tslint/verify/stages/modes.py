"""modes: checks that script and trace match eager after ``.train()`` and ``.eval()``.

If only a trace ignores ``.train()``, that is a warning, because it does not matter for inference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch

from tslint.verify.agreement import complaint, disagreement, is_random, tolerance
from tslint.verify.arguments import Arguments
from tslint.verify.arguments import run as run_on
from tslint.verify.baked import baked
from tslint.verify.difference import first_difference
from tslint.verify.fresh import Encoded, encode
from tslint.verify.limits import out_of_memory
from tslint.verify.outcome import Evidence, Outcome, StageFailed, StageSkipped
from tslint.verify.session import Session, kept_grad_mode, pristine, same_parameters, seed
from tslint.verify.shared_parameters import copies_share_parameters
from tslint.verify.stages.eager import NO_INPUTS
from tslint.verify.time_limit import Budget
from tslint.verify.variants import batch, with_batch

SECONDS = 10.0
_Switch = Callable[[torch.nn.Module], object]

_SWITCHES: tuple[tuple[str, _Switch], ...] = (
    (".eval()", lambda module: module.eval()),
    (".train()", lambda module: module.train()),
    (".train().eval()", lambda module: module.train().eval()),
)
_KEPT = "a trace keeps the mode that it was made in"
_SCRIPT_IT = "script the module, whose training flag stays a variable, or do not change the mode of the archive"


def run(session: Session) -> Outcome:
    """Compare outputs and buffers in both modes; random results must stay random, and others must not become so."""
    if session.eager is None:
        raise StageSkipped("eager did not pass" if session.inputs else NO_INPUTS)
    if isinstance(session.built, torch.jit.ScriptModule):
        raise StageSkipped("the module is compiled already: there is no eager module whose modes could be compared")
    if not session.compiled:
        raise StageSkipped("nothing was compiled")
    skipped: list[str] = []
    live = _agreeing(session, skipped)
    problems: list[str] = []
    warned: list[str] = []
    evidence: list[Evidence] = []
    compared = 0
    budget = Budget(min(SECONDS, session.request.timeout / 6), session.request.timeout / 5)
    for name, switch in _SWITCHES if live else ():
        if not budget:
            skipped.append(f"not tried for lack of time: {name}")
            continue
        control = _control(session, switch)
        if control is None:
            skipped.append(f"eager does not run after {name}")
            continue
        for mode in list(live):
            compared += 1
            with copies_share_parameters(control.shares):
                problem = _problem(session, mode, name, switch, control)
            if problem:
                live.remove(mode)
                # Every trace of a batch norm or a dropout does so: it is wrong only for who trains the archive.
                only_warns = mode == "trace" and name == ".train()"
                differs = "is not what eager trains with" if only_warns else "differs from eager"
                problem = f"after {name}, {mode} {differs}: {problem}"
                line = baked(session, control.arguments, switch) if mode == "trace" else None
                line = line and replace(line, what=_KEPT, way_out=_SCRIPT_IT)
                (warned if only_warns else problems).append(problem + (line.words if line else _way_out(mode)))
                if line:
                    evidence.append({**line.evidence(problem), **({"severity": "warning"} if only_warns else {})})
    if problems:
        raise StageFailed("; ".join([*problems, *warned]), *evidence)
    reasons = "; ".join(dict.fromkeys(skipped))
    if not compared:
        raise StageSkipped(reasons)
    detail = "; ".join(["eval as in eager", *warned]) if warned else "eval and train as in eager"
    return Outcome("passed", f"{detail}{f' ({reasons})' if reasons else ''}", tuple(evidence))


def _agreeing(session: Session, skipped: list[str]) -> list[str]:
    """Return the modes that agree with eager."""
    assert session.eager is not None
    modes = [mode for mode, outputs in session.outputs.items() if 0 in outputs]
    if not modes:
        raise StageSkipped("no compiled module ran without an error")
    live: list[str] = []
    for mode in modes:
        if disagreement(session, session.eager[0], session.outputs[mode][0], mode, session.inputs[0]):
            skipped.append(f"{mode} differs from eager already, see compare")
        else:
            live.append(mode)
    return live


@dataclass(frozen=True)
class _Control:
    """The result of eager in a mode.

    Args:
        arguments: the given inputs, or a larger batch of them if eager needs one (batch norm in train mode).
        output: for these.
        buffers: afterwards.
        steady: whether a second run has the same result.
        shares: whether the switch and the run wrote to no parameter, so that other copies may share them.
    """

    arguments: Arguments
    output: Encoded
    buffers: dict[str, torch.Tensor]
    steady: bool
    shares: bool


def _control(session: Session, switch: _Switch) -> _Control | None:
    assert session.eager is not None
    given = session.inputs[0]
    size = batch(given)
    same: list[bool] = []

    def look(ran: Any) -> None:
        same.append(ran is not session.built and same_parameters(ran, session.built))

    for arguments in (given, with_batch(given, size, 4)) if size else (given,):
        try:
            # What a forward does to parameters where it trains is not known.
            with copies_share_parameters(False):
                output, buffers = _ran(session.built, switch, arguments, look)
            again = session.eager[0] if arguments is given else None
            if again is None or first_difference(output, again, "", "", tolerance(session, arguments)):
                with copies_share_parameters(all(same)):
                    again, _ = _ran(session.built, switch, arguments)
        except BaseException as error:
            if out_of_memory(str(error)):
                raise
            continue
        steady = first_difference(output, again, "", "", tolerance(session, arguments)) is None
        # Modules that differ from themselves show their form and nothing else.
        return _Control(arguments, output, buffers, session.unsteady is None and steady, all(same))
    return None


def _lost(session: Session, mode: str) -> set[str]:
    """Return the buffers that differ after a call in any mode: ``state`` reports them."""
    expected, others = _buffers_after(session, session.built), _buffers_after(session, session.compiled[mode])
    return {name for name in expected if _buffers({name: expected[name]}, others, "", session, session.inputs[0])}


def _buffers_after(session: Session, module: Any) -> dict[str, torch.Tensor]:
    """Return the buffers after a call, or none if it raises."""
    try:
        return _ran(module, lambda module: None, session.inputs[0])[1]
    except BaseException:
        return {}


def _problem(session: Session, mode: str, name: str, switch: _Switch, control: _Control) -> str | None:
    arguments, steady = control.arguments, control.steady
    allowed = tolerance(session, arguments)
    after = f"in {mode}"
    try:
        output, others = _ran(session.compiled[mode], switch, arguments)
    except BaseException as error:
        return f"it raises where eager does not: {complaint(error)}"
    found = first_difference(control.output, output, "in eager", after, allowed, values=steady)
    of_output = found is not None
    if not found and steady:
        found = _buffers(control.buffers, others, after, session, arguments)
        if found:
            lost = _lost(session, mode)
            kept = {name: value for name, value in control.buffers.items() if name not in lost}
            found = _buffers(kept, others, after, session, arguments)
    if not found:
        return None
    if steady and of_output:
        draws = _is_random(session.built, switch, arguments)
        follows = _is_random(session.compiled[mode], switch, arguments)
        if draws and follows:
            # Other random numbers from the same seed are not a failure.
            return None
        if draws != follows:
            drop = "random in eager (dropout, for instance), and always the same"
            found = f"the output is {drop} {after}" if draws else f"the output is random {after}, and not in eager"
    return found


def _ran(
    module: Any, switch: _Switch, arguments: Arguments, look: Callable[[Any], None] = lambda ran: None
) -> tuple[Encoded, dict[str, torch.Tensor]]:
    """Return the output in a mode, and the buffers afterwards; the module is not changed."""
    runnable, restore = pristine(module)
    modes = [(part, part.training) for part in runnable.modules()]
    try:
        switch(runnable)
        seed()
        with kept_grad_mode():
            output = encode(run_on(runnable, arguments))
        look(runnable)
        return output, {name: value.detach().clone() for name, value in runnable.named_buffers()}
    finally:
        if runnable is module:
            for part, training in modes:
                part.training = training
        restore()


def _buffers(
    expected: dict[str, torch.Tensor], others: dict[str, torch.Tensor], after: str, session: Session, given: Arguments
) -> str | None:
    for name in expected:
        if name in others:
            found = first_difference(
                encode(expected[name]), encode(others[name]), "in eager", after, tolerance(session, given),
                path=f"buffer {name!r} afterwards",
            )  # fmt: skip
            if found:
                return found
    return None


def _is_random(module: Any, switch: _Switch, arguments: Arguments) -> bool:
    runnable, restore = pristine(module)
    modes = [(part, part.training) for part in runnable.modules()]
    try:
        switch(runnable)
        return is_random(runnable, arguments)
    finally:
        if runnable is module:
            for part, training in modes:
                part.training = training
        restore()


def _way_out(mode: str) -> str:
    if mode == "trace":
        return f"; {_KEPT}: {_SCRIPT_IT}"
    return "; let the code depend only on self.training"
