"""Puts an ``if`` under another ``if``."""

from __future__ import annotations

from functools import reduce

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rulekit import matchers as m
from tslint.rulekit.definition import without_leading
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Edits, safe
from tslint.rulekit.template import Line, block, expression, statement
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.stores import file_facts

_NOT_NONE = m.Comparison(comparisons=[m.ComparisonTarget(m.IsNot(), m.Name("None"))])


def nested_if(match: Match, test: cst.BaseExpression, first: cst.BaseExpression) -> Edits | None:
    """Put an ``if`` without ``else`` under another ``if``, whose test decides whether the inner one is compiled.

    Args:
        match: provides the file.
        test: the test of the inner ``if``.
        first: the test of the outer ``if``.

    Returns:
        None if ``test`` is not the test of such an ``if``.
    """
    around = match.parent(test)
    line = match.line(around) if around is not None else None
    if not isinstance(around, cst.If) or around.test is not test or around.orelse is not None or line is not around:
        return None
    inner: Line = without_leading(around)
    outer = statement("if {first}:\n    pass", first=first)
    return lambda: match.rewrite(around, outer.with_changes(body=block([inner])))


def after_none_test(match: Match, asked: cst.BaseExpression) -> Fix | None:
    """Put the rest of ``if x is not None and …:`` under an ``if`` of its own, or into a conditional expression if there
    is an ``else``.

    The compiler compiles all operands of an ``and``, but only the branch of an ``if`` whose test it knows.

    Args:
        match: provides the file.
        asked: an expression in the rest that is None in at least one construction.

    Returns:
        None if the test does not begin with ``x is not None``, or if the value may change when the module runs.
    """
    around = match.parent(asked)
    while isinstance(around, (cst.BaseExpression, cst.Arg, cst.ComparisonTarget, cst.SubscriptElement, cst.Index)):
        around = match.parent(around)
    if not isinstance(around, cst.If) or "\n" in match.code(around.test):
        return None
    first, *rest = _operands(around.test)
    if not rest or not isinstance(first, cst.Comparison) or not m.matches(first, _NOT_NONE):
        return None
    if not first.left.deep_equals(asked) or may_be_set_later(match, asked):
        return None
    alone = around.orelse is None and match.line(around) is around

    def edits() -> tuple[Edit, ...]:
        others = reduce(_joined, rest)
        if not alone:
            chosen = expression("{others} if {first} else False", others=others, first=first)
            return match.replace(around.test, chosen)
        inner = without_leading(around.with_changes(test=others))
        outer = statement("if {first}:\n    pass", first=first)
        return match.rewrite(around, outer.with_changes(body=block([inner])))

    return safe(f"Test first whether {match.quote(asked)} is None", edits)


def may_be_set_later(match: Match, asked: cst.BaseExpression) -> bool:
    """Return whether an expression is an attribute that other code than constructors may set."""
    if not isinstance(asked, cst.Attribute):
        return False
    owner = match.owner
    return owner is None or instance_stores(file_facts(match.file.tree), owner, asked.attr.value) is None


def _operands(test: cst.BaseExpression) -> list[cst.BaseExpression]:
    """Return the operands of an ``and``, from left to right."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And) and not test.lpar:
        return [*_operands(test.left), test.right]
    return [test]


def _joined(left: cst.BaseExpression, right: cst.BaseExpression) -> cst.BaseExpression:
    return cst.BooleanOperation(left, cst.And(), right)
