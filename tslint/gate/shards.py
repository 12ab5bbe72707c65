"""``--shard I/N``: splits a list into N parts, the same on every machine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from tslint.util.record import record

Item = TypeVar("Item")


@record
class Shard:
    """Part ``number`` of ``of`` parts, counted from 1; the parts are disjoint and cover the whole."""

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Parse ``I/N``.

        Raises:
            ValueError: the text has another form, or there is no such part; the message says which.
        """
        found = re.fullmatch(r"(\d+)/(\d+)", text, re.ASCII)
        if found is None:
            raise ValueError(f"{text!r} is not of the form I/N, as in 1/4")
        shard = cls(int(found[1]), int(found[2]))
        if not 1 <= shard.number <= shard.of:
            known = f"1/{shard.of} to {shard.of}/{shard.of}" if shard.of else "1/1 and up"
            raise ValueError(f"there is no shard {text}: shards are {known}")
        return shard

    def part(self, items: Sequence[Item]) -> list[Item]:
        """Return this shard's part of a list that has the same order in every shard."""
        return list(items[self.number - 1 :: self.of])

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"
