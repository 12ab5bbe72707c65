"""modes: checks that script and trace match eager after ``.train()`` and ``.eval()``.

If only a trace ignores ``.train()``, that is a warning, because it does not matter for inference.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from tslint.util.record import record
from tslint.verify.agreement import complaint, disagreement, is_random, tolerance
from tslint.verify.arguments import Arguments
from tslint.verify.arguments import run as run_on
from tslint.verify.baked import Baked, baked
from tslint.verify.difference import first_difference
from tslint.verify.fresh import Encoded, encode
from tslint.verify.limits import out_of_memory
from tslint.verify.outcome import Evidence, Outcome, StageFailed, StageSkipped
from tslint.verify.session import Session, drew, kept_grad_mode, pristine, same_parameters, seed
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
    """Compare outputs and buffers in both modes; random results must stay random, and others must not become random."""
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
    shown: list[str] = []
    compared = 0
    budget = Budget(min(SECONDS, session.request.timeout / 6), session.request.timeout / 5)
    switches = _with_effect(session.built)
    for name, switch in _SWITCHES if live else ():
        if name not in switches:
            compared += 1  # it changes nothing, so the earlier comparison counts
            continue
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
                problem = _problem(session, mode, control)
            if not problem:
                shown.append(f"{mode} after {name}")
                session.report_shown(f"as in eager: {', '.join(shown)}")
            else:
                live.remove(mode)
                # Every trace of a batch norm or a dropout differs in train mode; that only matters for training the
                # archive.
                only_warns = mode == "trace" and name == ".train()"
                only = " (this matters only if you train the archive)" if only_warns else ""
                problem = f"after {name}, {mode} differs from eager{only}: {problem}"
                line = baked(session, control.arguments, switch) if mode == "trace" else None
                line = line and replace(line, what=_KEPT, way_out=_SCRIPT_IT)
                (warned if only_warns else problems).append(problem + (line.words if line else _way_out(mode)))
                found = _evidence(session, problem, line, only_warns)
                evidence += [found] if found else []
    if problems:
        raise StageFailed("; ".join([*problems, *warned]), *evidence)
    return _passed(warned, skipped, evidence, compared)


def _passed(warned: list[str], skipped: list[str], evidence: list[Evidence], compared: int) -> Outcome:
    """Return the outcome if nothing failed, except that a trace may ignore ``.train()`` (then ``warned`` says so).

    Raises:
        StageSkipped: nothing was compared.
    """
    reasons = "; ".join(dict.fromkeys(skipped))
    if not compared:
        raise StageSkipped(reasons)
    detail = "eval and train as in eager"
    if warned:
        # The finding has the figures. Without a line of the user's there is no finding.
        detail = f"eval as in eager; {_KEPT} ({'see the warning' if evidence else '; '.join(warned)})"
    return Outcome("passed", f"{detail}{f' ({reasons})' if reasons else ''}", tuple(evidence))


def _evidence(session: Session, problem: str, line: Baked | None, only_warns: bool) -> Evidence | None:
    """Return evidence on the line that causes a problem; for a warning without such a line, on the module's class."""
    if line and line.stack:
        return {**line.evidence(problem), **({"severity": "warning"} if only_warns else {})}
    if not only_warns or session.place is None:
        return None
    return {
        "kind": "observed", "code": "TS905", "severity": "warning", "stage": "trace",
        "message": problem + _way_out("trace"), "place": session.place,
    }  # fmt: skip


def _with_effect(module: torch.nn.Module) -> set[str]:
    """Return the names of the switches that may change a module. In eval mode that is only ``.train()``, unless a part
    has its own ``train`` or ``eval``.
    """
    plain = all(
        not part.training
        and getattr(part.train, "__func__", None) is torch.nn.Module.train
        and getattr(part.eval, "__func__", None) is torch.nn.Module.eval
        for part in module.modules()
    )
    return {".train()"} if plain else {name for name, _ in _SWITCHES}


def _agreeing(session: Session, skipped: list[str]) -> list[str]:
    """Return the modes that agree with eager on the first set of inputs; add a remark on the rest to ``skipped``."""
    assert session.eager is not None
    modes = [mode for mode, outputs in session.outputs.items() if 0 in outputs]
    if not modes:
        raise StageSkipped("no compiled module ran without an error")
    live: list[str] = []
    for mode in modes:
        if disagreement(session, session.eager[0], session.outputs[mode][0], mode, session.inputs[0]):
            skipped.append(f"{mode} already differs from eager; see compare")
        else:
            live.append(mode)
    return live


@record
class _Control:
    """The result of eager in a mode.

    Args:
        session: the session of the target.
        switch: sets the mode.
        arguments: the given inputs, or a larger batch of them if eager needs one (batch norm in train mode).
        output: the output for these arguments.
        buffers: the buffers after the run.
        shares: whether the switch and the run wrote to no parameter, so that other copies of the module may share them.
    """

    session: Session
    switch: _Switch
    arguments: Arguments
    output: Encoded
    buffers: dict[str, torch.Tensor]
    shares: bool

    @functools.cached_property
    def again(self) -> tuple[bool, bool]:
        """Return whether a second run has the same result, and whether it may have drawn random numbers."""
        try:
            again, _ = _ran(self.session.built, self.switch, self.arguments)
        except BaseException as error:
            if out_of_memory(str(error)):
                raise
            return False, False
        return first_difference(self.output, again, "", "", tolerance(self.session, self.arguments)) is None, drew()


def _control(session: Session, switch: _Switch) -> _Control | None:
    given = session.inputs[0]
    size = batch(given)
    same: list[bool] = []

    def look(ran: Any) -> None:
        same.append(ran is not session.built and same_parameters(ran, session.built))

    for arguments in (given, with_batch(given, size, 4)) if size else (given,):
        try:
            # Parameters are not shared here, because a forward may write to them in train mode.
            with copies_share_parameters(False):
                output, buffers = _ran(session.built, switch, arguments, look)
        except BaseException as error:
            if out_of_memory(str(error)):
                raise
            continue
        return _Control(session, switch, arguments, output, buffers, all(same))
    return None


def _lost(session: Session, mode: str) -> set[str]:
    """Return the buffers that already differ after a call without a change of mode; ``state`` reports these."""
    expected, others = _buffers_after(session, session.built), _buffers_after(session, session.compiled[mode])
    return {name for name in expected if _buffers({name: expected[name]}, others, "", session, session.inputs[0])}


def _buffers_after(session: Session, module: Any) -> dict[str, torch.Tensor]:
    """Return the buffers after a call, or none if it raises."""
    try:
        return _ran(module, lambda module: None, session.inputs[0])[1]
    except BaseException:
        return {}


def _problem(session: Session, mode: str, control: _Control) -> str | None:
    arguments, switch, after = control.arguments, control.switch, f"in {mode}"
    allowed = tolerance(session, arguments)
    # If the outputs of equal calls differ, only structure and dtypes can be compared.
    values = session.unsteady is None
    try:
        output, others = _ran(session.compiled[mode], switch, arguments)
    except BaseException as error:
        if out_of_memory(str(error)):
            raise
        return f"it raises where eager does not: {complaint(error)}"
    follows = drew()
    found = of_output = first_difference(control.output, output, "in eager", after, allowed, values=values)
    if not found and values:
        found = _buffers(control.buffers, others, after, session, arguments)
        if found:
            lost = _lost(session, mode)
            kept = {name: value for name, value in control.buffers.items() if name not in lost}
            found = _buffers(kept, others, after, session, arguments)
    if not found or not values:
        return found
    steady, draws = control.again
    if not steady:
        return first_difference(control.output, output, "in eager", after, allowed, values=False)
    if of_output:
        draws = draws and _is_random(session.built, switch, arguments)
        follows = follows and _is_random(session.compiled[mode], switch, arguments)
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
