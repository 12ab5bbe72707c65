"""Finds the smallest inputs that still fail: fewer and smaller dimensions, then simpler values."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch

from tslint.verify.arguments import Arguments
from tslint.verify.time_limit import Budget
from tslint.verify.variants import changed, resized, tensors


def smallest(arguments: Arguments, happens: Callable[[Arguments], bool], budget: Budget) -> Arguments:
    """Return smaller inputs, found step by step.

    Args:
        arguments: the inputs that fail.
        happens: returns whether other inputs fail in the same way; must not raise.
        budget: when it is used up, the smallest inputs so far are returned.
    """
    progress = True
    while progress and budget:
        progress = False
        for candidate in _smaller(arguments):
            if not budget:
                break
            if happens(candidate):
                arguments, progress = candidate, True
                break
    for candidate in _plainer(arguments):
        if not budget:
            break
        if happens(candidate):
            return candidate
    return arguments


def _smaller(arguments: Arguments) -> Iterator[Arguments]:
    """Yield smaller arguments: each size, the largest first, is replaced in all tensors by 1, 2, its half, or one
    less; in all dimensions of this size, or only in dimension 0, 1, 2 or 3.
    """
    sizes = {size for tensor in tensors(arguments) for size in tensor.shape if size > 1}
    for old in sorted(sizes, reverse=True):
        for new in dict.fromkeys((1, 2, old // 2, old - 1)):
            if 0 < new < old:
                for places in (None, 0, 1, 2, 3):
                    candidate = changed(arguments, lambda tensor, o=old, n=new, p=places: _cut(tensor, o, n, p))  # type: ignore[misc]
                    if _elements(candidate) < _elements(arguments):
                        yield candidate


def _cut(tensor: torch.Tensor, old: int, new: int, only: int | None) -> torch.Tensor:
    for dimension in range(tensor.dim()):
        if tensor.shape[dimension] == old and only in (None, dimension):
            tensor = resized(tensor, dimension, new)
    return tensor


def _elements(arguments: Arguments) -> int:
    return sum(tensor.numel() for tensor in tensors(arguments))


def _plainer(arguments: Arguments) -> Iterator[Arguments]:
    for value in (0, 1, -1):
        yield changed(arguments, lambda tensor, v=value: _filled(tensor, v))  # type: ignore[misc]
    yield changed(arguments, lambda tensor: tensor.sign() if tensor.is_floating_point() else tensor)
    for digits in (1, 2):
        yield changed(arguments, lambda tensor, d=digits: _rounded(tensor, d))  # type: ignore[misc]


def _filled(tensor: torch.Tensor, value: int) -> torch.Tensor:
    # Integers may be indices, so they are not changed.
    return torch.full_like(tensor, value) if tensor.is_floating_point() else tensor


def _rounded(tensor: torch.Tensor, digits: int) -> torch.Tensor:
    return torch.round(tensor.double(), decimals=digits).to(tensor.dtype) if tensor.is_floating_point() else tensor
