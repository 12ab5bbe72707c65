"""Records what the static model does, for reports; findings do not need it (``Model.recording``)."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tslint.script.assumptions import Assumptions, satisfiable
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.project.definitions import Class, Function
    from tslint.script.interpreter.environment import Condition
    from tslint.script.scope import Unit
    from tslint.script.types import Type
    from tslint.script.values import Value


@record(eq=False)
class Exempted:
    """A function that is reached but not compiled.

    Args:
        function: the function.
        receiver: the class of ``self``; None for free functions.
        caller: the unit that uses it; None if the function would have been a root.
        node: the node that uses it.
        word: ``ignore`` or ``unused`` (``@torch.jit.…``), or ``decorated``: a decorator may replace it.
    """

    function: Function
    receiver: Class | None
    caller: Unit | None
    node: ast.AST | None
    word: str


@record(eq=False)
class Named:
    """The value of a name at one position.

    Args:
        node: the position.
        name: as the author wrote it; ``return`` for a returned value.
        kind: ``parameter``, ``variable``, ``attribute`` or ``return``.
        value: its value.
        assumptions: the tests of the constructor under which it was analysed.
    """

    node: ast.AST
    name: str
    kind: str
    value: Value
    assumptions: Assumptions


@dataclass(eq=False)
class Recording:
    """The facts that were recorded in a run.

    Args:
        exempted: functions that are reached but not compiled; each use once.
        visits: by unit and statement, the tests under which the statement was emitted.
        decisions: by unit and ``if`` or conditional expression, how the compiler evaluated the test, each time.
        named: by unit, the names with their values, in the order in which they were emitted.
        results: by unit, the return type of the function; None if it is not known.
    """

    exempted: list[Exempted] = field(default_factory=list)
    visits: dict[tuple[int, int], list[Assumptions]] = field(default_factory=dict)
    decisions: dict[tuple[int, int], list[Condition]] = field(default_factory=dict)
    named: dict[int, list[Named]] = field(default_factory=dict)
    results: dict[int, Type | None] = field(default_factory=dict)

    def exempt(
        self, function: Function, receiver: Class | None, caller: Unit | None, node: ast.AST | None, word: str
    ) -> None:
        """Record a function that is reached but not compiled."""
        for known in self.exempted:
            if (known.function, known.receiver, known.caller, known.node) == (function, receiver, caller, node):
                return
        self.exempted.append(Exempted(function, receiver, caller, node, word))

    def emitted(self, unit: Unit, statement: ast.stmt, assumptions: Assumptions) -> None:
        """Record a statement that the compiler emits."""
        self.visits.setdefault((id(unit), id(statement)), []).append(assumptions)

    def decided(self, unit: Unit, node: ast.AST, condition: Condition) -> None:
        """Record a test, and the compiler's decision."""
        self.decisions.setdefault((id(unit), id(node)), []).append(condition)

    def value(self, unit: Unit, node: ast.AST, name: str, kind: str, value: Value, assumptions: Assumptions) -> None:
        """Record a name, and its value."""
        self.named.setdefault(id(unit), []).append(Named(node, name, kind, value, assumptions))


def conditions(options: Iterable[Assumptions], given: Assumptions) -> list[Assumptions]:
    """Return the sets of tests under which something applies, without the given tests, and without sets that contradict
    them; empty if it applies whenever the given tests are true.
    """
    found: list[Assumptions] = []
    for assumptions in options:
        if not satisfiable(assumptions, given):
            continue
        more = assumptions - given
        if not more:
            return []
        if more not in found:
            found.append(more)
    return found
