"""Implements sums of unknown values with integer factors: enough arithmetic to compare lengths and indices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tslint.util.record import record

Atom = tuple[Any, ...]
"""An unknown value: its kind, and what distinguishes it from other values of the kind."""
_COUNTS = ("length", "turns")
"""The kinds of atoms that are never negative."""


@record
class Linear:
    """A sum such as ``2 * n + len(sizes) - 1``; equal objects have equal values.

    Args:
        terms: the atoms and their factors, in order; no factor is zero.
        constant: the number that is added.
    """

    terms: tuple[tuple[Atom, int], ...] = ()
    constant: int = 0

    def __add__(self, other: Linear) -> Linear:
        return _sum([(self, 1), (other, 1)])

    def __sub__(self, other: Linear) -> Linear:
        return _sum([(self, 1), (other, -1)])

    def times(self, factor: int) -> Linear:
        """Return the sum multiplied by a factor."""
        return _sum([(self, factor)])

    def replaced(self, values: Mapping[Atom, Linear]) -> Linear:
        """Return the sum in which atoms are replaced by other sums."""
        parts: list[tuple[Linear, int]] = [(Linear((), self.constant), 1)]
        for atom, factor in self.terms:
            parts.append((values.get(atom, Linear(((atom, 1),))), factor))
        return _sum(parts)

    @property
    def atoms(self) -> Iterator[Atom]:
        """Yield the atoms, and those in the sums of which they are made."""
        for atom, _ in self.terms:
            yield atom
            for part in atom:
                if isinstance(part, Linear):
                    yield from part.atoms

    @property
    def number(self) -> int | None:
        """Return the value if it is a known number; otherwise None."""
        return None if self.terms else self.constant

    @property
    def is_count(self) -> bool:
        """Return whether the sum is certainly never negative."""
        if self.constant >= 0 and all(factor > 0 and atom[0] in _COUNTS for atom, factor in self.terms):
            return True
        # `range(n)` has n iterations, or none if n is negative: never fewer than n.
        lower = {atom: atom[1] for atom, factor in self.terms if atom[0] == "turns" and factor > 0}
        if lower and self.replaced(lower).is_count:
            return True
        upper = next((atom for atom, factor in self.terms if atom[0] == "turns" and factor < 0), None)
        return upper is not None and all(self.replaced({upper: each}).is_count for each in (upper[1], number(0)))


def number(value: int) -> Linear:
    """Return the sum for a known number."""
    return Linear((), value)


def unknown(*atom: Any) -> Linear:
    """Return the sum for an unknown value; equal arguments stand for the same value."""
    return Linear(((atom, 1),))


def product(one: Linear, other: Linear) -> Linear:
    """Return the product of two sums; for unknown values, equal factors make equal products, in any order."""
    if one.number is not None or other.number is not None:
        return other.times(one.number) if one.number is not None else one.times(other.constant)
    return unknown("computed", "Mult", *sorted((one, other), key=repr))


def turns(stop: Linear) -> Linear:
    """Return the number of iterations of ``range(stop)``: stop, or 0 if that is negative."""
    if stop.number is not None:
        return number(max(0, stop.number))
    if stop.constant >= 0 and all(factor > 0 and atom[0] in _COUNTS for atom, factor in stop.terms):
        return stop
    return unknown("turns", stop)


def with_parameters(value: Linear, given: Mapping[Atom, Linear | None]) -> Linear | None:
    """Return a sum in which the function's parameters are replaced by their values; None if it has other unknowns."""
    parts = [(number(value.constant), 1)]
    for atom, factor in value.terms:
        inner = with_parameters(atom[1], given) if atom[0] == "turns" else given.get(atom)
        if inner is None:
            return None
        parts.append((turns(inner) if atom[0] == "turns" else inner, factor))
    return _sum(parts)


def _sum(parts: Iterable[tuple[Linear, int]]) -> Linear:
    constant, factors = 0, dict[Atom, int]()
    for part, factor in parts:
        constant += part.constant * factor
        for atom, inner in part.terms:
            factors[atom] = factors.get(atom, 0) + inner * factor
    terms = sorted(((atom, factor) for atom, factor in factors.items() if factor), key=repr)
    return Linear(tuple(terms), constant)
