"""Puts an ``if`` under another one."""

from __future__ import annotations

import libcst as cst

from tslint.rulekit.definition import without_leading
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Edits
from tslint.rulekit.template import Line, block, statement


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
