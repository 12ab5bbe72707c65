"""Contains the variables and blocks of a random function."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod

from random_programs.expressions import Expressions


class Scope(Expressions, ABC):
    """The state that the statements of one function share.

    Args:
        helpers: the functions that it can call, each with its name, the types of its parameters, and its result type.
        returns: its result type; None for any.
    """

    def __init__(
        self, draw: random.Random, rate: float, helpers: list[tuple[str, list[str], str]], returns: str | None
    ) -> None:
        super().__init__(draw, rate)
        self.helpers = helpers
        self.returns = returns
        self.count = 0
        self.loops = 0
        self.fixed: set[str] = set()

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def bind(self, type_: str) -> str:
        name = self.fresh()
        self.scope[name] = type_
        return name

    @abstractmethod
    def statement(self, depth: int) -> list[str]:
        """Return one statement, possibly of many lines."""

    def block(self, depth: int, most: int = 3) -> list[str]:
        """Return statements; their variables stay in scope."""
        lines: list[str] = []
        for _ in range(self.draw.randint(1, most)):
            lines += self.statement(depth)
        return lines

    def inner(self, depth: int, most: int = 2) -> tuple[list[str], dict[str, str]]:
        """Return statements of a nested block, and its variables, which are not in scope afterwards."""
        before = dict(self.scope)
        lines = self.block(depth, most)
        bound = {name: type_ for name, type_ in self.scope.items() if name not in before}
        self.scope = before
        return ["    " + line for line in lines], bound
