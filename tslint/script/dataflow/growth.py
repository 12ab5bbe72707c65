"""Computes how many items the statements of a constructor add to a list, if every path adds the same number."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from tslint.script.dataflow.linear import Linear, number, product, turns
from tslint.util import astwalk
from tslint.util.record import record

Evaluated = Callable[[ast.expr], Linear | None]


@record
class Growth:
    """Counts the items that are added to one list.

    Args:
        changes: everything that changes the list.
        turns: returns the number of iterations of a loop over an expression.
        value: evaluates an integer expression.
    """

    changes: Sequence[ast.AST]
    turns: Evaluated
    value: Evaluated

    def of(self, statements: Sequence[ast.stmt]) -> Linear | None:
        """Return how many items the statements add; None if that depends on the path."""
        total: Linear | None = number(0)
        for statement in statements:
            one = self._one(statement)
            total = None if total is None or one is None else total + one
        return total

    def _one(self, statement: ast.stmt) -> Linear | None:
        inside = set(astwalk.walk(statement))
        if inside.isdisjoint(self.changes):
            return number(0)
        if isinstance(statement, ast.Expr) and statement.value in self.changes:
            return self._added(statement.value)
        if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add) and statement in self.changes:
            return self.turns(statement.value)
        if isinstance(statement, ast.If):
            branches = [each for each in (statement.body, statement.orelse) if not _raises(each)]
            added = [self.of(each) for each in branches]
            return added[0] if added and all(each == added[0] for each in added) else None
        if isinstance(statement, ast.For) and not statement.orelse:
            leaves = any(isinstance(each, (ast.Break, ast.Continue, ast.Return)) for each in inside)
            return None if leaves else self._repeated(statement)
        return None

    def _added(self, call: ast.expr) -> Linear | None:
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or len(call.args) != 1:
            return None
        if call.func.attr == "extend":
            return self.turns(call.args[0])
        return number(1) if call.func.attr == "append" else None

    def _repeated(self, loop: ast.For) -> Linear | None:
        """Return the number of items that all iterations of a loop add; None if it is not known."""
        total: Linear | None = number(0)
        for statement in loop.body:
            one, all_of_them = self._one(statement), self.turns(loop.iter)
            if one is None:
                one = self._in_some_turns(loop, statement)
            elif one.number is None and all_of_them is not None and not self._depends(one, loop):
                one = product(all_of_them, one)
            elif one.number is None or all_of_them is None:
                one = None if one != number(0) else one
            else:
                one = all_of_them.times(one.number)
            total = None if total is None or one is None else total + one
        return total

    def _depends(self, one: Linear, loop: ast.For) -> bool:
        """Return whether the number of items that one iteration adds depends on the iteration."""
        return any(atom[:2] == ("variable", id(loop)) for atom in one.atoms)

    def _in_some_turns(self, loop: ast.For, statement: ast.stmt) -> Linear | None:
        """Return the number of items that ``if i < n - 1:`` (and similar) adds in a loop over ``range(n)``; None if it
        is not known.
        """
        if not isinstance(statement, ast.If) or self.of(statement.orelse) != number(0):
            return None
        each, over, index = self.of(statement.body), loop.iter, loop.target
        numbers = isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range"
        if each is None or each.number is None or not numbers or not isinstance(index, ast.Name):
            return None
        if any(index.id in astwalk.bound(inner) for inner in astwalk.walk(loop) if inner in loop.body):
            return None
        assert isinstance(over, ast.Call)
        stop = self.value(over.args[0]) if len(over.args) == 1 and not over.keywords else None
        reached = None if stop is None else self._reached(statement.test, index.id, stop)
        return None if reached is None else turns(reached).times(each.number)

    def _reached(self, test: ast.expr, index: str, stop: Linear) -> Linear | None:
        """Return the number of iterations of a loop over ``range(stop)`` in which a test of the index is true; None if
        it is not known.
        """
        if not isinstance(test, ast.Compare) or getattr(test.left, "id", "") != index or len(test.ops) != 1:
            return None
        limit, last = self.value(test.comparators[0]), stop - number(1)
        if limit is None:
            return None
        if isinstance(test.ops[0], ast.Lt):
            return limit if (stop - limit).is_count else None
        if isinstance(test.ops[0], ast.NotEq):
            return last if limit in (last, number(0)) else None
        return last if isinstance(test.ops[0], ast.Gt) and limit == number(0) else None


def _raises(block: Sequence[ast.stmt]) -> bool:
    """Return whether a block ends with ``raise``: no constructor that ran it has created an instance."""
    return bool(block) and isinstance(block[-1], ast.Raise)
