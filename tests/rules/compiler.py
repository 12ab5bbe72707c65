"""Runs the installed compiler for tests: one process that imports torch once and forks for every new file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.oracle import Oracle

FORGE = Path(__file__).with_name("forge.py")


@dataclass(frozen=True)
class Verdict:
    """The compiler's verdict on a file.

    Args:
        ok: whether everything in it compiled.
        type: the exception's name, or None.
        message: the exception's text.
        lines: rows of the file in the message, the one where the compiler stopped first.
        eager, scripted: the results of the example for its inputs before and after compilation; None without inputs.
        keys: the ``state_dict`` keys of each module.
    """

    ok: bool
    type: str | None
    message: str
    lines: tuple[int, ...]
    eager: Any
    scripted: Any
    keys: Any

    @property
    def first(self) -> str:
        """Return the message's first informative line, without its colon."""
        return next((line for line in self.message.splitlines() if line.strip()), "").rstrip(":").strip()


class Compiler:
    """Asks the compiler about files."""

    def __init__(self) -> None:
        self._ask = Oracle(FORGE)

    def __call__(self, text: str) -> Verdict:
        """Compile a file with this text."""
        record = self._ask(text)
        return Verdict(
            ok=record["ok"],
            type=record["type"],
            message=record["message"],
            lines=tuple(record["lines"]),
            eager=record.get("eager"),
            scripted=record.get("scripted"),
            keys=record.get("keys"),
        )


@cache
def the_compiler() -> Compiler:
    """Return the compiler of this test session."""
    return Compiler()
