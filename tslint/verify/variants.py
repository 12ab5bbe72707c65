"""Creates other inputs from the given ones (batches, sizes, values, dtypes), in a fixed order.

Eager decides which of them are valid. Integers are only replaced by integers of the same tensor, because they may be
indices.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import torch

from tslint.util.record import record
from tslint.verify.arguments import Arguments, Keywords

# Larger inputs would take much time and show nothing more.
_MOST_ELEMENTS = 4_000_000
_MOST_GROWTH = 4
_MOST_SIZES = 8
# The number of elements from which doubling the inputs is expensive.
_LARGE = 30_000

Change = Callable[[torch.Tensor], torch.Tensor]


@record
class Variant:
    """A generated set of inputs.

    Args:
        words: how the given inputs were changed: ``batch of 2``.
        arguments: the inputs.
        for_trace: whether a trace must accept them, too; not if an argument becomes None or another constant, because
            that is another interface.
        of_another_kind: whether their dtype differs from that of the given inputs.
        family: what is changed, as text; empty if no other variant changes the same thing.
        last_resort: whether it is only tried if eager has rejected all earlier variants of the family.
        resized: whether only sizes differ, so that other values can be tried in the same run.
    """

    words: str
    arguments: Arguments
    for_trace: bool = True
    of_another_kind: bool = False
    family: str = ""
    last_resort: bool = False
    resized: bool = False


@record
class Values:
    """Other values for inputs of any size.

    Args:
        words: how they differ: ``signs flipped``.
        change: makes them.
        varied: whether they differ from each other as much as the given values do, so that they do not hide other
            differences.
    """

    words: str
    change: Change
    varied: bool = True

    def of(self, variant: Variant) -> Variant:
        """Return a variant that also has other values."""
        words = ", ".join(filter(None, (variant.words, self.words)))
        return replace(variant, words=words, arguments=changed(variant.arguments, self.change))


def is_large(arguments: Arguments) -> bool:
    """Return whether the inputs are costly to run on."""
    return bool(sum(tensor.numel() for tensor in tensors(arguments)) > _LARGE)


def variants(arguments: Arguments, forward: Any = None, other_values: Iterable[Values] = ()) -> Iterator[Variant]:
    """Yield all variants, alternating between the kinds, so that every kind is tried even if time is short. Other
    dtypes come last.

    Args:
        arguments: the given inputs.
        forward: the forward of the eager module, whose signature shows which arguments may be None.
        other_values: values to try with the given sizes.
    """
    floating = [tensor for tensor in tensors(arguments) if tensor.is_floating_point() or tensor.is_complex()]
    yield from _in_turn(
        (each.of(Variant("", arguments)) for each in other_values),
        _batches(arguments),
        _sizes(arguments),
        _options(arguments, forward),
        _lengths(arguments),
    )
    if floating:
        for dtype in (torch.float64, torch.float16, torch.bfloat16):
            if any(tensor.dtype != dtype for tensor in floating):
                name = str(dtype).removeprefix("torch.")
                made = changed(arguments, _if_real(partial(torch.Tensor.to, dtype=dtype)))
                yield Variant(f"as {name}", made, of_another_kind=True)


def _in_turn(*kinds: Iterator[Variant]) -> Iterator[Variant]:
    pending = list(kinds)
    while pending:
        for kind in tuple(pending):
            variant = next(kind, None)
            if variant is None:
                pending.remove(kind)
            else:
                yield variant


def tensors(value: Any) -> list[torch.Tensor]:
    """Return the tensors of a value, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        return [tensor for item in value.values() for tensor in tensors(item)]
    if isinstance(value, (tuple, list)):
        return [tensor for item in value for tensor in tensors(item)]
    return []


def changed(value: Any, change: Change) -> Any:
    """Return a value in which every tensor is replaced that is dense and not quantized; a leaf that requires grad stays
    one.
    """
    if isinstance(value, torch.Tensor):
        if value.layout is not torch.strided or value.is_quantized:
            return value
        plain = value.detach()
        made = change(plain)
        return made.clone().requires_grad_(value.requires_grad) if value.requires_grad else made
    if isinstance(value, tuple):
        items = [changed(item, change) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if type(value) is list:
        return [changed(item, change) for item in value]
    if type(value) in (dict, Keywords):
        return type(value)({key: changed(item, change) for key, item in value.items()})
    return value


def resized(tensor: torch.Tensor, dimension: int, size: int) -> torch.Tensor:
    """Return a tensor with another size: cut off, or extended by elements from its beginning.

    A mask is extended with its last value. An empty tensor cannot be extended.
    """
    old = tensor.shape[dimension]
    if old == size or (old == 0 and size):
        return tensor
    index = torch.arange(size, device=tensor.device)
    index = index.clamp(max=max(old - 1, 0)) if _is_mask(tensor) else index % max(old, 1)
    return tensor.index_select(dimension, index)


def _is_mask(tensor: torch.Tensor) -> bool:
    """Return whether a tensor is a mask: booleans, zeros and ones, or zeros and minus infinity."""
    if tensor.dtype is torch.bool:
        return True
    if not tensor.numel() or tensor.is_complex():
        return False
    no = tensor == 0
    return bool(no.any()) and bool((no | (tensor == (-torch.inf if tensor.is_floating_point() else 1))).all())


def batch(arguments: Arguments) -> int | None:
    """Return the first dimension of the first tensor that has dimensions."""
    return next((tensor.shape[0] for tensor in tensors(arguments) if tensor.dim()), None)


def with_batch(arguments: Arguments, old: int, new: int) -> Arguments:
    """Change the batch size in every tensor that has it."""

    def change(tensor: torch.Tensor) -> torch.Tensor:
        return resized(tensor, 0, new) if tensor.dim() and tensor.shape[0] == old else tensor

    return tuple(changed(arguments, change))


def _batches(arguments: Arguments) -> Iterator[Variant]:
    size = batch(arguments)
    if size is None:
        return
    large = is_large(arguments)
    for new in dict.fromkeys((1, *((size + 1,) if large else ()), 2, 3, size + 1, 2 * size, 2 * size + 1, 0)):
        if new != size and _fits(arguments, new / max(size, 1)):
            words = f"batch of {new}" if new else "empty batch"
            last, family = large and new not in (0, 1, size + 1), "batch" if new > 1 else ""
            made = with_batch(arguments, size, new)
            yield Variant(words, made, family=family, last_resort=last, resized=new > 0)


def values(arguments: Arguments) -> Iterator[Values]:
    """Yield other values for inputs."""
    every = tensors(arguments)
    whole = [tensor for tensor in every if not (tensor.is_floating_point() or tensor.is_complex())]
    floating = len(whole) < len(every)
    if floating:
        yield Values("signs flipped", _if_floating(torch.neg))
        yield Values("all zeros", _if_floating(torch.zeros_like), varied=False)
    yield Values("values permuted", _permuted)
    if floating:
        yield Values("a hundred times as large", _if_floating(lambda tensor: tensor * 100))
        yield Values("every second sign flipped", _if_floating(_alternated))
    if any(tensor.numel() and tensor.dtype is not torch.bool for tensor in whole):
        yield Values("integers all their smallest", _if_integer(torch.amin), varied=False)
        yield Values("integers all their largest", _if_integer(torch.amax), varied=False)
    if any(tensor.dtype is torch.bool for tensor in whole):
        yield Values("masks negated", _if_bool(torch.logical_not))
        yield Values("masks all False", _if_bool(torch.zeros_like), varied=False)
        yield Values("masks all True", _if_bool(torch.ones_like), varied=False)


def _options(arguments: Arguments, forward: Any) -> Iterator[Variant]:
    """Yield variants with None if it is allowed, and with other numbers and flags."""
    for number, (name, optional) in enumerate(_parameters(forward, len(arguments))):
        value = arguments[number]
        others: list[Any] = []
        if type(value) is bool:
            others = [not value]
        elif type(value) is int:
            others = [value + 1]
        elif type(value) is float:
            others = [-value, 0.0]
        if optional and value is not None:
            others.append(None)
        for other in others:
            made = (*arguments[:number], other, *arguments[number + 1 :])
            yield Variant(f"{name} = {other}", made, for_trace=False)


def _parameters(forward: Any, count: int) -> list[tuple[str, bool]]:
    try:
        parameters = list(inspect.signature(forward).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    found = [(each.name, each.default is None or "Optional" in str(each.annotation)) for each in parameters]
    return [*found, *((f"argument {number + 1}", False) for number in range(len(found), count))][:count]


def _lengths(arguments: Arguments) -> Iterator[Variant]:
    """Yield variants of lists of tensors (or of dicts of them) with one item less, and with one more item: a trace
    unrolls loops over such lists.
    """
    for number, value in enumerate(arguments):
        if type(value) is list and value and all(map(tensors, value)):
            for made in (value[:-1], [*value, value[-1]]):
                if made:
                    given = (*arguments[:number], made, *arguments[number + 1 :])
                    yield Variant(f"a list of {len(made)}", given)


def _sizes(arguments: Arguments) -> Iterator[Variant]:
    """Yield variants with other sizes of the dimensions after the batch dimension: first of all dimensions of one size
    (a square image stays square), then of each alone.

    If the maximum of a tensor of integers is the old size, its elements may be lengths. Then there are two variants:
    the lengths change with the size, or they stay.
    """
    first = batch(arguments)
    groups = list(dict.fromkeys(size for tensor in tensors(arguments) for size in tensor.shape[1:]))
    large = is_large(arguments)
    seen: set[tuple[torch.Size, ...]] = set()
    for old in islice(groups, _MOST_SIZES):
        for new in dict.fromkeys((old + 1, old - 1, 2 * old, old | 1, old + 2)):
            # If sizes larger and smaller by one are accepted, a size larger by two, or much larger inputs, show nothing
            # new.
            last = new > old + 1 and (large or new != 2 * old)
            if new > 0 and new != old and _fits(arguments, (new / old if old else 1) ** 2):
                for how, made in _resized(arguments, old, new):
                    seen.add(tuple(tensor.shape for tensor in tensors(made)))
                    words, family = f"size {new} for {old}{how}", f"size {old}{how}"
                    yield Variant(words, made, family=family, last_resort=last, resized=True)
    if first is None:
        return
    deep = max(tensor.dim() for tensor in tensors(arguments))
    for dimension in range(1, deep):
        for step in (1, 2):
            grown = changed(arguments, lambda tensor, d=dimension, s=step: _grown(tensor, d, s))  # type: ignore[misc]
            if tuple(tensor.shape for tensor in tensors(grown)) not in seen:
                words = f"dimension {dimension} longer"
                yield Variant(f"{words} by {step}", grown, family=words, last_resort=step > 1, resized=True)


def _resized(arguments: Arguments, old: int, new: int) -> Iterator[tuple[str, Arguments]]:
    """Yield ways to change every dimension of one size, each with a text that says what else changes."""
    every = tensors(arguments)
    made = changed(arguments, partial(_with_size, old=old, new=new))
    bound = partial(_with_bound, old=old, new=new)
    if any(_is_bounded_by(tensor, old) for tensor in every):
        yield ", and lengths with it", changed(made, bound)
    yield "", made
    if batch(arguments) != old and any(tensor.dim() and tensor.shape[0] == old for tensor in every):
        # The mask of an attention has the sequence's length as its first dimension, too.
        yield " everywhere", changed(changed(arguments, partial(_with_size, old=old, new=new, start=0)), bound)


def _is_bounded_by(tensor: torch.Tensor, size: int) -> bool:
    """Return whether a tensor of integers may contain lengths for dimensions of a size: its maximum is that size."""
    whole = not (tensor.is_floating_point() or tensor.is_complex() or tensor.dtype is torch.bool)
    return whole and tensor.layout is torch.strided and size > 1 and bool(tensor.numel()) and int(tensor.max()) == size


def _with_bound(tensor: torch.Tensor, old: int, new: int) -> torch.Tensor:
    """Return the lengths for a dimension with a new size."""
    if not _is_bounded_by(tensor, old):
        return tensor
    return torch.where(tensor == old, torch.full_like(tensor, new), tensor.clamp(max=new))


def _with_size(tensor: torch.Tensor, old: int, new: int, start: int = 1) -> torch.Tensor:
    for dimension in range(start, tensor.dim()):
        if tensor.shape[dimension] == old:
            tensor = resized(tensor, dimension, new)
    return tensor


def _grown(tensor: torch.Tensor, dimension: int, step: int) -> torch.Tensor:
    return resized(tensor, dimension, tensor.shape[dimension] + step) if dimension < tensor.dim() else tensor


def _fits(arguments: Arguments, growth: float) -> bool:
    elements = sum(tensor.numel() for tensor in tensors(arguments))
    return growth <= 1 or elements * growth <= _MOST_ELEMENTS or growth <= _MOST_GROWTH / 2


def _permuted(tensor: torch.Tensor) -> torch.Tensor:
    generator = torch.Generator().manual_seed(0)
    order = torch.randperm(tensor.numel(), generator=generator).to(tensor.device)
    return tensor.reshape(-1)[order].reshape(tensor.shape)


def _alternated(tensor: torch.Tensor) -> torch.Tensor:
    signs = torch.ones(tensor.numel(), dtype=tensor.dtype, device=tensor.device)
    signs[1::2] = -1
    return tensor * signs.reshape(tensor.shape)


def _if_floating(change: Change) -> Change:
    return lambda tensor: change(tensor) if tensor.is_floating_point() or tensor.is_complex() else tensor


def _if_real(change: Change) -> Change:
    return lambda tensor: change(tensor) if tensor.is_floating_point() else tensor


def _if_bool(change: Change) -> Change:
    return lambda tensor: change(tensor) if tensor.dtype is torch.bool else tensor


def _if_integer(pick: Change) -> Change:
    def change(tensor: torch.Tensor) -> torch.Tensor:
        whole = not (tensor.is_floating_point() or tensor.is_complex() or tensor.dtype is torch.bool)
        return torch.full_like(tensor, int(pick(tensor))) if whole and tensor.numel() else tensor

    return change
