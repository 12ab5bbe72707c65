"""Describes a module for a server: names, dtypes and sizes of inputs and outputs (worker side).

A size is variable if another size occurred, too: in another given set of inputs, or in ``generalize`` in a run that
agreed with eager.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import torch

from tslint.verify.arguments import Arguments
from tslint.verify.fresh import Encoded
from tslint.verify.session import Session

Shapes = tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]
"""The shapes of the inputs, and of the outputs."""


class NoTensor(Exception):
    """An input or output that is not a tensor; the message names it."""


def shapes(arguments: Arguments, output: Encoded) -> Shapes | None:
    """Return the shapes of the arguments and the outputs of a run; None if not all of them are tensors."""
    try:
        given = tuple(tuple(each.shape) for each in arguments_of(arguments))
        return given, tuple(tuple(each.shape) for each in outputs_of(output))
    except NoTensor:
        return None


def arguments_of(arguments: Arguments) -> list[torch.Tensor]:
    """Return the arguments, all of which must be tensors.

    Raises:
        NoTensor: an argument is not a tensor.
    """
    for number, value in enumerate(arguments):
        if not isinstance(value, torch.Tensor):
            raise NoTensor(f"argument {number + 1} is of type {type(value).__name__}")
    return list(arguments)


def outputs_of(output: Encoded) -> list[torch.Tensor]:
    """Return the tensors of an output that is one tensor, or a tuple or list of tensors.

    Raises:
        NoTensor: the output contains another value.
    """
    items = output["items"] if output["kind"] in ("tuple", "list") else [output]
    for item in items:
        if item["kind"] != "tensor":
            raise NoTensor(f"the output holds a value of type {item.get('type', item['kind'])}")
    return [item["value"] for item in items]


def interface(session: Session, mode: str) -> dict[str, Any]:
    """Return the description for one mode as plain JSON: ``inputs`` and ``outputs``, or the ``problem``."""
    assert session.eager is not None
    try:
        given, made = arguments_of(session.inputs[0]), outputs_of(session.eager[0])
    except NoTensor as error:
        return {"problem": str(error)}
    pairs = zip(session.inputs, session.eager)
    seen = [each for each in (shapes(*pair) for pair in pairs) if each] + session.agreed.get(mode, [])
    names = list(_names(session.built, len(given)))
    return {
        "inputs": [
            _part(name, value, [each[0] for each in seen], n) for n, (name, value) in enumerate(zip(names, given))
        ],
        "outputs": [_part("OUTPUT", value, [each[1] for each in seen], n) for n, value in enumerate(made)],
    }


def _names(module: torch.nn.Module, count: int) -> Iterator[str]:
    try:
        known = list(inspect.signature(module.forward).parameters)
    except (TypeError, ValueError):
        known = []
    for number in range(count):
        yield known[number] if number < len(known) and count <= len(known) else "INPUT"


def _part(name: str, tensor: torch.Tensor, seen: list[tuple[tuple[int, ...], ...]], number: int) -> dict[str, Any]:
    """Return the description of one tensor.

    An empty tensor does not show that a size is variable, because all loops over it are skipped.
    """
    own = tuple(tensor.shape)
    others = [each[number] for each in seen if number < len(each)]
    others = [each for each in others if len(each) == len(own) and all(each)]
    sizes = [-1 if any(each[n] != size for each in others) else size for n, size in enumerate(own)]
    return {"name": f"{name}__{number}", "dtype": str(tensor.dtype).removeprefix("torch."), "sizes": sizes}
