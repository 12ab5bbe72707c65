"""Determines the range of an index from the loops and tests around it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property

from tslint.script.dataflow.bounds import Bounds
from tslint.script.dataflow.comparisons import shown
from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.guards import guards
from tslint.script.dataflow.linear import Atom, Linear, number
from tslint.script.dataflow.local_bindings import binds, is_parameter, only_value
from tslint.script.dataflow.ranges import range_ends
from tslint.script.dataflow.scopes import bound_times
from tslint.util import astwalk
from tslint.util.record import record

_MOST = 6


@record
class Place:
    """An expression of a method, and what is known where it is evaluated.

    Args:
        bounds: the bounds of the class.
        function: the method.
        node: the expression, or the statement that contains it.
    """

    bounds: Bounds
    function: FunctionNode
    node: ast.AST

    def value(self, node: ast.expr) -> Linear | None:
        """Return the value of an integer expression at this place; None if it is not known."""
        return self.bounds.value(node, self.function)

    def length(self, node: ast.expr) -> Linear | None:
        """Return the length of a container at this place; None if it is not known."""
        return self.bounds.length(node, self.function)

    def length_where_set(self, node: ast.expr) -> Linear | None:
        """Return the length of a container for those constructions in which it is set, and not None. Return None if the
        length is not known.
        """
        return self.bounds.length_unless_none(node, self.function)

    def is_counted(self, index: ast.expr) -> bool:
        """Return whether an index is never negative."""
        value = self.value(index)
        return (value is not None and self.holds(value)) or _counts_up(self.function, index)

    def is_below(self, index: ast.expr, container: ast.expr) -> bool:
        """Return whether an index is always less than the length of a container, if that is not None."""
        value, length = self.value(index), self.length_where_set(container)
        return value is not None and length is not None and self.holds(length - value - number(1))

    def holds(self, value: Linear) -> bool:
        """Return whether a sum is never negative."""
        return self._follows(value, self._facts)

    def _follows(self, value: Linear, facts: Sequence[Linear], depth: int = 0) -> bool:
        """Return whether a sum is never negative, given other sums that are never negative."""
        if value.is_count or any((value - fact).is_count for fact in facts):
            return True
        if depth < _MOST and any(self._follows(each, facts, depth + 1) for each in _without_quotients(value)):
            return True
        if depth < _MOST and any(
            self._follows(each, facts, depth + 1) for each in self._without_products(value, facts)
        ):
            return True
        variables = [(atom, factor) for atom, factor in value.terms if atom[0] == "variable"]
        for atom, factor in variables if depth < _MOST else ():
            for end in self._ends(atom)[factor < 0]:
                if self._follows(value.replaced({atom: end}), facts, depth + 1):
                    return True
        return False

    def _without_products(self, value: Linear, facts: Sequence[Linear]) -> Iterator[Linear]:
        """Yield smaller sums that lack a product of two values that are never negative: if such a sum is not negative,
        the given sum is not negative, either.
        """
        for atom, factor in value.terms:
            if atom[:2] == ("computed", "Mult") and factor > 0 and all(self._follows(each, facts) for each in atom[2:]):
                yield value - Linear(((atom, factor),))

    def _ends(self, atom: Atom) -> tuple[list[Linear], list[Linear]]:
        """Return the lower and the upper bounds of a loop's variable; empty lists if they are not known."""
        loop = next((each for each in astwalk.walk(self.function) if id(each) == atom[1]), None)
        if not isinstance(loop, (ast.For, ast.comprehension)):
            return [], []
        over, target = loop.iter, loop.target
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "reversed" and over.args:
            over = over.args[0]
        if not (isinstance(over, ast.Call) and isinstance(over.func, ast.Name)):
            return [], []
        if over.func.id == "range" and isinstance(target, ast.Name):
            return self._of_range(over)
        pair = isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name) and target.elts[0].id == atom[2]
        if over.func.id == "enumerate" and pair and len(over.args) == 1 and not over.keywords:
            turns = self.bounds.turns(over.args[0], self.function)
            return [number(0)], [] if turns is None else [turns - number(1)]
        return [], []

    def _of_range(self, node: ast.Call) -> tuple[list[Linear], list[Linear]]:
        ends = range_ends(node)
        if ends is not None:
            low = number(0) if ends[0] is None else self.value(ends[0])
            high = self.value(ends[1])
            return [low] if low is not None else [], [high - number(1)] if high is not None else []
        if len(node.args) != 3 or node.keywords:
            return [], []
        first, stop, step = (self.value(each) for each in node.args)
        if step is None or not step.number:
            return [], []
        if step.number > 0:
            return [first] if first is not None else [], [stop - number(1)] if stop is not None else []
        return [stop + number(1)] if stop is not None else [], [first] if first is not None else []

    @cached_property
    def _facts(self) -> list[Linear]:
        """Return sums that are not negative because of the tests around the place."""
        tests, found = self._tests(), list[Linear]()
        for test, outcome in tests:
            found += shown(test, outcome, self.value)
        for test, outcome in tests:
            for each in self._unequal(test, outcome):
                found += [one - number(1) for one in (each, each.times(-1)) if self._follows(one, found)]
        return found

    def _tests(self) -> list[tuple[ast.expr, bool]]:
        """Return the tests around the place, with the results that they must have had."""
        found = [(guard.test, not guard.skips) for guard in guards(self.function, self.node)]
        below: ast.AST = self.node
        for around in astwalk.around(self.function, self.node):
            if isinstance(around, ast.BoolOp):
                earlier = around.values[: next((i for i, v in enumerate(around.values) if v is below), 0)]
                found += [(test, isinstance(around.op, ast.And)) for test in earlier]
            below = around
        return found

    def _unequal(self, test: ast.expr, outcome: bool) -> Iterator[Linear]:
        """Yield sums that are not zero if a test has a given result: ``i`` if ``i != 0`` is true, or ``i`` itself."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            yield from self._unequal(test.operand, not outcome)
        elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is outcome:
            for each in test.values:
                yield from self._unequal(each, outcome)
        elif isinstance(test, ast.Compare) and len(test.ops) == 1:
            left, right = self.value(test.left), self.value(test.comparators[0])
            differs = isinstance(test.ops[0], ast.NotEq if outcome else ast.Eq)
            if differs and left is not None and right is not None:
                yield left - right
        elif isinstance(test, ast.Name) and outcome:
            value = self.value(test)
            if value is not None:
                yield value


def _counts_up(function: FunctionNode, index: ast.expr) -> bool:
    """Return whether an index is a variable to which a function only assigns, or adds with ``+=``, literal ints of at
    least 0.
    """
    if not isinstance(index, ast.Name) or is_parameter(function, index.id):
        return False
    named = [each for each in astwalk.walk(function) if isinstance(each, ast.Name) and each.id == index.id]
    stores = [each for each in named if binds(each)]
    return 0 < len(stores) == bound_times(function, index.id) and all(_is_count(function, each) for each in stores)


def _is_count(function: FunctionNode, target: ast.Name) -> bool:
    """Return whether a statement assigns a literal int of at least 0 to a variable, or adds one with ``+=``."""
    around = astwalk.parents(function).get(target)
    added = isinstance(around, ast.AugAssign) and isinstance(around.op, ast.Add)
    value = around.value if isinstance(around, ast.AugAssign) else only_value(function, target)
    plain = added or not isinstance(around, ast.AugAssign)
    return plain and isinstance(value, ast.Constant) and type(value.value) is int and value.value >= 0


def _without_quotients(value: Linear) -> Iterator[Linear]:
    """Yield, for each floor division in a sum, a sum without it. If one of these is never negative, neither is the
    given sum.
    """
    for atom, factor in value.terms:
        by = atom[3].number or 0 if atom[:2] == ("computed", "FloorDiv") else 0
        if by > 0:  # `by * (a // by)` is at most `a`, and at least `a - (by - 1)`
            rounded = number((by - 1) * (1 - max(factor, 0)))
            yield (value - Linear(((atom, factor),))).times(by) + atom[2].times(factor) + rounded
