"""Writes ``x != None``, or a call of a function that only tests this, as ``x is not None``: only then does the compiler
know that ``x`` is not None.
"""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.project.definitions import Function
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import expression
from tslint.script.dataflow.none_tests import only_argument, tests_for_none

_NOT = m.UnaryOperation(operator=m.Not())

NOT_AN_ARRAY = "with an array, `==` compares each item with None"
"""What ``x is None`` instead of ``x == None`` assumes, as a clause."""


def as_none_test(match: Match, call: cst.CSTNode, function: Function) -> Fix | None:
    """Replace a call by a test for None, if the called function only returns whether its argument is None.

    Args:
        match: the match of the call.
        call: the call.
        function: the called function.

    Returns:
        None for other functions.
    """
    true_for_none = tests_for_none(function.node)
    if true_for_none is None or function.owner is not None or function.outer is not None:
        return None
    if not isinstance(call, cst.Call) or only_argument(match.model(call)) is None:
        return None
    return unsafe(
        f"Replace `{function.name}` by its test for None",
        lambda: _written(match, call, true_for_none),
        assumes=f"other code may give the name `{function.name}` to another function",
    )


def by_identity(node: cst.Comparison) -> cst.Comparison:
    """Return ``x == None`` as ``x is None``, and ``x != None`` as ``x is not None``."""
    target = node.comparisons[0]
    operator = cst.Is() if m.matches(target.operator, m.Equal()) else cst.IsNot()
    return node.with_changes(comparisons=[target.with_changes(operator=operator)])


def _written(match: Match, call: cst.CSTNode, true_for_none: bool) -> list[Edit]:
    assert isinstance(call, cst.Call)
    around, node = match.parent(call), call
    old: cst.BaseExpression = node
    if isinstance(around, cst.UnaryOperation) and m.matches(around, _NOT):
        old, true_for_none = around, not true_for_none
    test = expression("{x} is None" if true_for_none else "{x} is not None", x=node.args[0].value)
    return list(match.replace(old, test))
