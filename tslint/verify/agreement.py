"""Compares a compiled module with eager on one set of inputs, with accepted differences (worker side)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch

from tslint.verify.arguments import Arguments
from tslint.verify.blame import TORCH_ROOT, describe
from tslint.verify.difference import Tolerance, first_difference, with_shapes
from tslint.verify.fresh import Encoded
from tslint.verify.messages import runtime_error
from tslint.verify.session import Session, call, drew
from tslint.verify.variants import changed, tensors

# The tolerance of torchvision between eager and script: fused and reordered arithmetic is not a finding.
_LOOSE = Tolerance(1e-4, 1e-5)
_COARSE = Tolerance(4e-2, 1e-2)
_ROUNDING = 1e-6
_LOW = (torch.float16, torch.bfloat16)


def tolerance(session: Session, arguments: Arguments = ()) -> Tolerance:
    """Return the requested tolerance; by default, one that allows arithmetic in another order (wider for 16 bits)."""
    request = session.request
    if request.rtol is not None or request.atol is not None:
        return session.tolerance
    low = any(tensor.dtype in _LOW for tensor in tensors(arguments))
    loose = _COARSE if low else _LOOSE
    return replace(session.tolerance, rtol=loose.rtol, atol=loose.atol)


def disagreement(
    session: Session, expected: Encoded, output: Encoded, mode: str, arguments: Arguments
) -> str | None:  # fmt: skip
    """Describe the first difference between eager's output and that of ``mode`` (script or trace); None if they agree.

    If two eager runs differ, values are not compared.
    """
    return first_difference(
        expected, output, "in eager", f"in {mode}", tolerance(session, arguments), values=session.unsteady is None
    )  # fmt: skip


def excused(session: Session, expected: Encoded, output: Encoded | None, arguments: Arguments) -> bool:
    """Return whether eager itself raises, or differs beyond the tolerance, when it is called again, or on inputs
    changed by rounding errors.

    If the compiled module raises or returns other shapes, it is excused only if eager, too, raises or returns other
    shapes: that eager returns other values is then not enough.

    Args:
        session: the session of the target.
        expected: eager's output for the arguments.
        output: the output of a compiled module; None if it raises.
        arguments: the arguments of both.
    """
    of_shape = output is None or bool(first_difference(with_shapes(expected), with_shapes(output), "", "", Tolerance()))
    for given in (arguments, changed(arguments, _moved)):
        try:
            again = call(session.built, given)
        except BaseException:
            return True
        if of_shape:
            expected, again = with_shapes(expected), with_shapes(again)
        allowed = tolerance(session, arguments)
        if first_difference(expected, again, "", "", allowed, values=session.unsteady is None):
            return True
    return False


def is_random(module: Any, arguments: Arguments) -> bool:
    """Return whether a module's output depends on the random generator's seed."""
    one = call(module, arguments)
    return drew() and first_difference(one, call(module, arguments, 1), "", "", Tolerance()) is not None


def complaint(error: BaseException) -> str:
    """Return the exception of a compiled module on one line, with the user's line."""
    return runtime_error(str(error), TORCH_ROOT) or describe(error)


def _moved(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor changed by relative rounding errors, so that zeros stay zero."""
    if not tensor.is_floating_point() or tensor.dtype in _LOW:
        return tensor
    generator = torch.Generator().manual_seed(0)
    noise = torch.rand(tensor.shape, generator=generator, dtype=torch.float64) * 2 - 1
    return (tensor * (1 + _ROUNDING * noise).to(tensor.device)).to(tensor.dtype)
