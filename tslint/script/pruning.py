"""Finds code of a compiled function that the compiler never emits, or emits for some constructions only."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tslint.script.assumptions import NO_ASSUMPTIONS, Assumptions, in_words
from tslint.script.recording import Recording, conditions
from tslint.script.scope import Unit
from tslint.util import astwalk
from tslint.util.record import record

_MOST = 60


@record(eq=False)
class Pruned:
    """Code that is not always compiled.

    Args:
        first, last: its first and last node.
        why: the reason as text, if the code is never compiled; empty if that depends on the construction.
        condition: the constructions in which the code is compiled, as text; empty if it is never compiled.
    """

    first: ast.stmt | ast.expr
    last: ast.stmt | ast.expr
    why: str = ""
    condition: str = ""

    @property
    def first_text(self) -> str:
        """Return the code if it is an expression; otherwise an empty text."""
        return spelled(self.first) if isinstance(self.first, ast.expr) else ""


def pruned_code(recording: Recording, unit: Unit) -> list[Pruned]:
    """Return the parts of a function that are not always compiled, in order; empty if the static model has not analysed
    the function.
    """
    body = unit.function.node.body
    if (id(unit), id(body[0])) not in recording.visits:
        return []
    reader = _Reader(recording, unit)
    found = [*reader.block(body, NO_ASSUMPTIONS, None), *reader.expressions()]
    return sorted(found, key=lambda each: (each.first.lineno, each.first.col_offset))


def spelled(node: ast.expr) -> str:
    """Return an expression on one line of at most 60 characters."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _MOST else text[: _MOST - 1] + "…"


@dataclass
class _Reader:
    recording: Recording
    unit: Unit

    def visits(self, node: ast.stmt) -> list[Assumptions]:
        return self.recording.visits.get((id(self.unit), id(node)), [])

    def static(self, node: ast.AST) -> bool | None:
        """Return the value of a test that the compiler evaluates at compile time; None if it does not, or if the value
        is not the same in every construction.
        """
        made = self.recording.decisions.get((id(self.unit), id(node)), [])
        outcomes = {condition.static for condition in made}
        return outcomes.pop() if len(outcomes) == 1 else None

    def sure(self, node: ast.AST | None) -> bool:
        """Return whether the compiler evaluates a test at compile time, in every construction."""
        made = self.recording.decisions.get((id(self.unit), id(node)), [])
        return bool(made) and all(
            not condition.unsure and (condition.static is not None or condition.split is not None) for condition in made
        )

    def block(self, body: Sequence[ast.stmt], given: Assumptions, around: ast.stmt | None) -> Iterator[Pruned]:
        """Yield the code of a block that is not always compiled.

        Args:
            body: the block.
            given: tests that are true whenever the block is reached, and that are already reported.
            around: the statement that contains the block.
        """
        before: ast.stmt | None = None
        for statement in body:
            visits = self.visits(statement)
            if not visits:
                yield Pruned(statement, body[-1], self._why(statement, before, around))
                return
            ways = conditions(visits, given)
            if ways:
                if self.sure(before if before is not None else around):
                    yield Pruned(statement, body[-1], condition=", or when ".join(in_words(way) or "" for way in ways))
                given = given | ways[0] if len(ways) == 1 else given
            if isinstance(statement, ast.If):
                yield from self.block(statement.body, given, statement)
                yield from self.block(statement.orelse, given, statement)
            elif isinstance(statement, (ast.For, ast.While, ast.With)):
                yield from self.block(statement.body, given, statement)
            before = statement

    def _why(self, statement: ast.stmt, before: ast.stmt | None, around: ast.stmt | None) -> str:
        if before is not None:
            test = before.test if isinstance(before, (ast.If, ast.Assert)) else None
            static = self.static(before) if isinstance(before, ast.If) else None
            if test is not None and static is not None:
                outcome = str(static).lower()
                return f"`{spelled(test)}` is always {outcome} here, and nothing gets past line {before.lineno}"
            return f"nothing gets past line {before.lineno}"
        if isinstance(around, ast.If):
            return f"`{spelled(around.test)}` is always {str(statement not in around.body).lower()} here"
        if isinstance(around, ast.For):
            return f"`{spelled(around.iter)}` is empty"
        return "nothing leads to it"

    def expressions(self) -> Iterator[Pruned]:
        """Yield the branches of conditional expressions that are never compiled."""
        for node in astwalk.walk(self.unit.function.node):
            if isinstance(node, ast.IfExp):
                static = self.static(node)
                if static is not None:
                    side = node.orelse if static else node.body
                    yield Pruned(side, side, f"`{spelled(node.test)}` is always {str(static).lower()} here")
