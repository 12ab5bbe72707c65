"""Compares versions, and ranges of them, as ``pip`` writes them: ``0.1.2``, ``>=0.1,<0.2``, ``~=0.1.3``."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

_CLAUSE = re.compile(r"\s*(==|!=|>=|<=|>|<|~=)?\s*v?(\d+(?:\.\d+)*)\s*")
_COMPARE: dict[str, Callable[[tuple[int, ...], tuple[int, ...]], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


class Specifier:
    """A range of versions; a single version is a range of one.

    Args:
        text: clauses with commas between them.

    Raises:
        ValueError: the text is not a range.
    """

    def __init__(self, text: str) -> None:
        clauses = [_CLAUSE.fullmatch(part) for part in text.split(",")]
        if not all(clauses):
            raise ValueError(text)
        self._clauses = [(clause[1] or "==", _numbers(clause[2])) for clause in clauses if clause]
        if any(sign == "~=" and len(wanted) < 2 for sign, wanted in self._clauses):
            raise ValueError(text)

    def __contains__(self, version: str) -> bool:
        found = _numbers(re.split(r"[^\d.]", version)[0].rstrip("."))
        return all(self._holds(sign, found, wanted) for sign, wanted in self._clauses)

    @staticmethod
    def _holds(sign: str, found: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
        length = max(len(found), len(wanted))
        one, other = (each + (0,) * (length - len(each)) for each in (found, wanted))
        if sign == "~=":
            return one >= other and found[: len(wanted) - 1] == wanted[:-1]
        return _COMPARE[sign](one, other)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))
