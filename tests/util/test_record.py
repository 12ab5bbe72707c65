"""Tests of records: they behave as frozen dataclasses do, except that only type checkers refuse assignments."""

from __future__ import annotations

import pickle
from dataclasses import field, replace

import pytest

from tslint.util.record import record


@record
class Point:
    """Has a field that does not count in comparisons."""

    x: int
    y: int = 0
    note: str = field(default="", compare=False)


@record
class Deep(Point):
    """Adds a field to another record."""

    z: int = 0


@record
class Nothing:
    """Has no fields."""


@record(eq=False)
class Node:
    """Is only equal to itself."""

    x: int


@record
class Named:
    """Has methods of its own."""

    name: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and self.name.lower() == other.name.lower()

    def __hash__(self) -> int:
        return hash(self.name.lower())

    def __repr__(self) -> str:
        return self.name


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (Point(1), Point(1, 0), True),
        (Point(1), Point(2), False),
        (Point(1), Point(1, note="seen"), True),
        (Point(1), Deep(1), False),
        (Deep(1, z=2), Deep(1, z=2), True),
        (Deep(1, z=2), Deep(1, z=3), False),
        (Nothing(), Nothing(), True),
        (Node(1), Node(1), False),
        (Named("A"), Named("a"), True),
        (Point(1), (1, 0), False),
    ],
)
def test_equal(one: object, other: object, equal: bool) -> None:
    assert (one == other) is equal
    assert (len({one, other}) == 1) is equal


def test_text() -> None:
    assert repr(Deep(1, z=2)) == "Deep(x=1, y=0, note='', z=2)"
    assert repr(Named("a")) == "a"


def test_copies() -> None:
    assert replace(Point(1), y=2) == Point(1, 2)
    assert pickle.loads(pickle.dumps(Deep(1, 2))) == Deep(1, 2)


def test_positions() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
