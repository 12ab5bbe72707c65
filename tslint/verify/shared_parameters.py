"""Copies modules with shared parameters, to save memory (worker side)."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch

_active = False


@contextmanager
def copies_share_parameters(active: bool) -> Iterator[None]:
    """Let copies of modules share their parameters inside the ``with``, if ``active``; no forward may write to them."""
    global _active
    before, _active = _active, active
    try:
        yield
    finally:
        _active = before


def copied(module: Any) -> Any:
    """Return a copy with its own state; it shares the parameters if sharing is active.

    Raises:
        Exception: the module cannot be copied; the type of the exception may be any.
    """
    if not _active:
        return copy.deepcopy(module)
    if isinstance(module, torch.jit.ScriptModule):
        return _compiled(module)
    # deepcopy takes the second argument as a table of what is already copied, so it does not copy the parameters.
    return copy.deepcopy(module, {id(parameter): parameter for parameter in module.parameters()})


def share(module: Any, parameters: Mapping[str, torch.Tensor]) -> None:
    """Let a compiled module use those parameters of the eager one that are equal, if sharing is active."""
    if not _active:
        return
    for path, part in module.named_modules():
        for name, own in list(part.named_parameters(recurse=False)):
            other = parameters.get(f"{path}.{name}" if path else name)
            if other is not None and own.requires_grad == other.requires_grad and _same(own, other):
                part._c.setattr(name, other)


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    try:
        return bool(one.dtype == other.dtype and one.device == other.device and torch.equal(one, other))
    except (RuntimeError, NotImplementedError):  # their layout does not support comparison
        return False


def _compiled(module: Any) -> Any:
    """Return a copy of a compiled module that shares its parameters."""
    kept = [
        (part, name, value)
        for part in module.modules()
        for name, value in list(part.named_parameters(recurse=False))
    ]  # fmt: skip
    try:
        for part, name, value in kept:
            part._c.setattr(name, torch.nn.Parameter(value.new_empty(0), requires_grad=value.requires_grad))
        made = copy.deepcopy(module)
    finally:
        for part, name, value in kept:
            part._c.setattr(name, value)
    paths = {id(part): path for path, part in module.named_modules()}
    parts = dict(made.named_modules())
    for part, name, value in kept:
        parts[paths[id(part)]]._c.setattr(name, value)
    return made
