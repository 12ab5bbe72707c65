"""The kinds of the values seen at one place, with their counts and elements. The order of merging does not matter.

A kind is a text: the compiler's name of a plain type (``int``, ``Tensor``, ``None`` …); ``List`` or ``Dict``; a tuple
or a size with its length (``Tuple/2``, ``Size/3``); ``class:NAME`` for a class that can be an annotation;
``module:NAME`` for a module; ``other:NAME`` for a value for which TorchScript has no type.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass
class Count:
    """The values of one kind.

    Args:
        number: how many were seen; 0 for a kind that the type must allow, but that is not counted: of a default, of a
            first value, or of a value between the start and the end of a function.
        parts: the kinds of a list's elements; of a dict's keys and values; of each element of a tuple.
    """

    number: int
    parts: tuple[Kinds, ...] = ()


Kinds = dict[str, Count]


def sort_of(kind: str) -> str:
    """Return ``Tuple`` for ``Tuple/2``; most kinds are returned unchanged."""
    return kind.partition("/")[0]


def empty_parts(kind: str) -> tuple[Kinds, ...]:
    """Return empty counts for the parts of a kind: one for a list, two for a dict, one for each element of a tuple."""
    if kind == "List":
        return ({},)
    if kind == "Dict":
        return ({}, {})
    sort, _, length = kind.partition("/")
    if sort == "Tuple":
        return tuple({} for _ in range(int(length)))
    return ()


def count(kinds: Kinds, kind: str, number: int = 1) -> Count:
    """Add to the number of values of a kind, and return the count of this kind."""
    found = kinds.get(kind)
    if found is None:
        found = kinds[kind] = Count(0, empty_parts(kind))
    found.number += number
    return found


def merge(kinds: Kinds, more: Kinds) -> None:
    """Add the counts of ``more`` to ``kinds``."""
    for kind, counted in more.items():
        into = count(kinds, kind, counted.number)
        for part, other in zip(into.parts, counted.parts):
            merge(part, other)


def merged(several: Iterable[Kinds]) -> Kinds:
    """Merge several counts into one."""
    result: Kinds = {}
    for kinds in several:
        merge(result, kinds)
    return result


def dump(kinds: Kinds) -> dict[str, Any]:
    """Convert kinds to plain JSON."""
    return {kind: [found.number, *(dump(part) for part in found.parts)] for kind, found in kinds.items()}


def load(data: dict[str, Any]) -> Kinds:
    """Read what :func:`dump` wrote."""
    return {kind: Count(number, tuple(load(part) for part in parts)) for kind, (number, *parts) in data.items()}


def total(kinds: Kinds) -> int:
    """Return how many values were seen."""
    return sum(found.number for found in kinds.values())
