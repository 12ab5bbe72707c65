"""Reads comparisons of integers: which sums are not negative if a test has a given result."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tslint.script.dataflow.linear import Linear, number


def shown(test: ast.expr, outcome: bool, value: Callable[[ast.expr], Linear | None]) -> Iterator[Linear]:
    """Yield sums that are not negative if a test has a given result: ``n - 1 - i`` if ``i < n`` is true.

    Args:
        test: the test.
        outcome: its result.
        value: evaluates an operand; returns None if its value is not known.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from shown(test.operand, not outcome, value)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is outcome:
        for each in test.values:
            yield from shown(each, outcome, value)
    elif isinstance(test, ast.Compare) and (len(test.ops) == 1 or outcome):
        parts = [value(part) for part in (test.left, *test.comparators)]
        for left, op, right in zip(parts, test.ops, parts[1:]):
            if left is not None and right is not None:
                yield from _compared(left, op, right, outcome)


def _compared(left: Linear, op: ast.cmpop, right: Linear, outcome: bool) -> Iterator[Linear]:
    one = number(1)
    if isinstance(op, (ast.Eq, ast.NotEq)) and isinstance(op, ast.Eq) is outcome:
        yield left - right
        yield right - left
    elif isinstance(op, (ast.Lt, ast.GtE)):
        yield right - left - one if isinstance(op, ast.Lt) is outcome else left - right
    elif isinstance(op, (ast.Gt, ast.LtE)):
        yield left - right - one if isinstance(op, ast.Gt) is outcome else right - left
