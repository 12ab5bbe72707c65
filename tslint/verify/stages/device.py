"""device: loads the archives on ``meta`` (and on a GPU, if any), and compares them with eager there."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from typing import Any

import torch

from tslint.verify.agreement import complaint, disagreement, tolerance
from tslint.verify.arguments import Arguments, traced
from tslint.verify.arguments import run as run_on
from tslint.verify.baked import baked
from tslint.verify.blame import describe
from tslint.verify.difference import each_tensor, first_difference, with_shapes
from tslint.verify.fresh import Encoded, encode
from tslint.verify.limits import out_of_memory
from tslint.verify.outcome import Evidence, Outcome, StageFailed, StageSkipped
from tslint.verify.session import Session, kept_grad_mode, pristine, seed
from tslint.verify.stages.eager import NO_INPUTS
from tslint.verify.variants import changed, tensors

_WAY_OUT = "; make tensors with zeros_like, new_zeros or device=x.device in scripted code, keep constants as buffers"

_ONE_DEVICE = "if the model is deployed only on this device, skip the stage (--skip device)"

# Errors of compiled code on meta because tensors have no values there, or because there is no fuser.
_OF_META = ("Tensor.item()", "graph fuser")


def run(session: Session) -> Outcome:
    """Move inputs and modules to each device, and compare them there with eager: a device that a trace has recorded as
    a constant does not move with them.
    """
    if session.eager is None:
        raise StageSkipped("eager did not pass" if session.inputs else NO_INPUTS)
    if not session.compiled:
        raise StageSkipped("nothing was compiled")
    devices = ["meta", *(["cuda"] if torch.cuda.is_available() else [])]
    problems: list[str] = []
    evidence: list[Evidence] = []
    passed: list[str] = []
    skipped: list[str] = []
    for device in devices:
        arguments = changed(session.inputs[0], lambda tensor, to=device: tensor.to(to))  # type: ignore[misc]
        try:
            expected = _eager(session, device, arguments)
        except StageSkipped as error:
            skipped.append(str(error))
            continue
        except BaseException as error:
            skipped.append(f"eager itself does not run on {device}: {describe(error)}")
            continue
        for mode in [mode for mode, outputs in session.outputs.items() if 0 in outputs]:
            if disagreement(session, session.eager[0], session.outputs[mode][0], mode, session.inputs[0]):
                skipped.append(f"{mode} already differs from eager; see compare")
                continue
            try:
                module = _moved(session, mode, device)
            except BaseException as error:
                skipped.append(f"{mode} cannot be moved to {device}: {describe(error, where=False)}")
                continue
            try:
                problem = _problem(session, mode, module, device, arguments, expected)
            except StageSkipped as error:
                skipped.append(str(error))
                continue
            if not problem:
                passed.append(f"{mode} on {device}")
                session.report_shown(f"{', '.join(passed)} as in eager")
                continue
            line = baked(session, arguments, lambda copy, to=device: copy.to(to)) if mode == "trace" else None  # type: ignore[misc]
            problems.append(problem + (line.words if line else _WAY_OUT))
            evidence += [line.evidence(problem)] if line else []
    if problems:
        raise StageFailed("; ".join([*problems, _ONE_DEVICE]), *evidence)
    reasons = "; ".join(dict.fromkeys(skipped))
    if not passed or out_of_memory(reasons):
        raise StageSkipped(reasons or "no compiled module ran without an error")
    return Outcome(detail=f"{', '.join(passed)} as in eager{f' ({reasons})' if reasons else ''}")


def _dtypes(output: Encoded) -> list[torch.dtype]:
    return [each["value"].dtype for each in each_tensor(output)]


def _eager(session: Session, device: str, arguments: Arguments) -> Encoded:
    """Return eager's output on the device, from a copy, because a moved module might not be restored.

    Raises:
        StageSkipped: the module cannot be copied, or gives other dtypes on meta.
    """
    if isinstance(session.built, torch.jit.ScriptModule):
        raise StageSkipped("the module is compiled already: there is no eager module to compare with")
    module, _ = pristine(session.built)
    if module is session.built:
        raise StageSkipped("the module cannot be copied, so there is no eager module to compare with")
    output = _run(module.to(device), arguments)
    if device == "meta" and session.eager and _dtypes(output) != _dtypes(session.eager[0]):
        raise StageSkipped("eager itself gives other dtypes on meta, as autocast of one device does")
    return output


def _run(module: Callable[..., Any], arguments: Arguments) -> Encoded:
    seed()
    with kept_grad_mode():
        return encode(run_on(module, arguments))


def _moved(session: Session, mode: str, device: str) -> Any:
    """Return a compiled module on a device: loaded there or, if it is a trace on meta, a copy whose parameters and
    buffers are moved.

    ``map_location`` also moves constants, and on meta a number that a trace stores as a tensor would lose its value.
    """
    if device != "meta" or mode == "script":
        archive = session.compiled.archives.get(mode)
        if archive:
            return torch.jit.load(str(archive), map_location=device)
        buffer = io.BytesIO()
        torch.jit.save(session.compiled[mode], buffer)
        buffer.seek(0)
        return torch.jit.load(buffer, map_location=device)
    moved_module, _ = pristine(session.compiled[mode])
    for part in moved_module.modules():
        for name, value in part.named_parameters(recurse=False):
            moved = torch.nn.Parameter(value.detach().to(device), requires_grad=value.requires_grad)
            part._c.setattr(name, moved)
        for name, value in part.named_buffers(recurse=False):
            part._c.setattr(name, value.to(device))
    return moved_module


def _problem(
    session: Session, mode: str, module: Any, device: str, arguments: Arguments, expected: Encoded
) -> str | None:  # fmt: skip
    try:
        output = _run(module, arguments)
    except BaseException as error:
        said = complaint(error)
        if device == "meta" and not _is_to_blame(session, mode, module, arguments, error):
            raise StageSkipped(f"{mode} cannot be run on meta: {said}") from error
        return f"loaded on {device}, {mode} raises where eager does not: {said}"
    sides, allowed = ("in eager", f"in {mode}"), tolerance(session, arguments)
    if device == "meta":
        # Tensors on meta have no values, so the form is compared, and then the shapes, which are part of the values
        # elsewhere.
        found = first_difference(expected, output, *sides, allowed, values=False)
        if session.unsteady is None:
            found = found or first_difference(with_shapes(expected), with_shapes(output), *sides, allowed)
    else:
        found = first_difference(expected, output, *sides, allowed, values=session.unsteady is None)
    return f"loaded on {device}, {mode} differs from eager: {found}" if found else None


def _is_to_blame(session: Session, mode: str, compiled: Any, arguments: Arguments, error: BaseException) -> bool:
    """Return whether a call on meta raised because of a device, and not because compiled code lacks
    something on meta.
    """
    if mode == "script":
        return "device" in str(error) and not any(words in str(error) for words in _OF_META)
    if not _holds_a_device(compiled):
        return False
    module, _ = pristine(session.built)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            seed()
            control = traced(module.to("meta"), arguments, check_trace=False, strict=session.request.strict)
        _run(control, arguments)
    except BaseException:
        return False
    return True


def _holds_a_device(trace: Any) -> bool:
    """Return whether one of a trace's constants is a device, or a tensor with a dimension."""
    graph = trace.inlined_graph  # owns the nodes
    constants = (node.output().toIValue() for node in graph.findAllNodes("prim::Constant", True))
    return any(isinstance(each, torch.device) or any(value.dim() for value in tensors(each)) for each in constants)
