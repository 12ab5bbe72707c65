"""Parsers for TOML values: each returns the value, or raises ValueError with the expected form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Parser = Callable[[Any], Any]


def string(value: Any) -> str:
    """Parse a string."""
    if not isinstance(value, str):
        raise ValueError("a string")
    return value


def strings(value: Any) -> tuple[str, ...]:
    """Parse a list of strings."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("a list of strings")
    return tuple(value)


def boolean(value: Any) -> bool:
    """Parse a truth value."""
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def count(value: Any) -> int:
    """Return a value that is a whole number, 1 or more; raise ValueError for others."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError("a positive whole number")
    return value


def positive(value: Any) -> float:
    """Return a value that is a number above 0; raise ValueError for others."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not value > 0:
        raise ValueError("a positive number")
    return float(value)


def tolerance(value: Any) -> float:
    """Return a value that is a number, 0 or more; raise ValueError for others."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not value >= 0:
        raise ValueError("a number from 0")
    return float(value)


def choice(*choices: str) -> Parser:
    """Return a parser that accepts one of the given words."""

    def parse(value: Any) -> str:
        if value not in choices:
            raise ValueError("one of " + ", ".join(f'"{choice}"' for choice in choices))
        return str(value)

    return parse
