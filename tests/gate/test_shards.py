"""Tests that shards are disjoint and cover the whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tslint.gate.shards import Shard


@given(st.lists(st.integers()), st.integers(1, 12))
def test_the_parts_are_the_whole(items: list[int], of: int) -> None:
    parts = [Shard(number, of).part(items) for number in range(1, of + 1)]
    assert sorted(item for part in parts for item in part) == sorted(items)
    sizes = [len(part) for part in parts]
    assert max(sizes) - min(sizes) <= 1


def test_a_shard_survives_printing_and_parsing() -> None:
    assert Shard.parse("2/3") == Shard(2, 3)
    assert str(Shard(2, 3)) == "2/3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3/2", "there is no shard 3/2: shards are 1/2 to 2/2"),
        ("0/2", "there is no shard 0/2: shards are 1/2 to 2/2"),
        ("1/0", "there is no shard 1/0: shards are 1/1 and up"),
        ("1", "'1' is not of the form I/N, as in 1/4"),
        ("-1/2", "'-1/2' is not of the form I/N, as in 1/4"),
        ("a/b", "'a/b' is not of the form I/N, as in 1/4"),
        ("", "'' is not of the form I/N, as in 1/4"),
        ("١/٢", "'١/٢' is not of the form I/N, as in 1/4"),
    ],
)
def test_no_shards(text: str, message: str) -> None:
    with pytest.raises(ValueError) as raised:
        Shard.parse(text)
    assert str(raised.value) == message
