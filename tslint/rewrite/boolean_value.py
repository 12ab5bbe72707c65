"""Writes ``a or b`` and ``a and b`` as conditional expressions: in TorchScript, both return a bool, not an operand."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import expression

_OR = m.BooleanOperation(operator=m.Or())
TRUE = "{first}"
NOT_NONE = "{first} is not None"
NOT_NONE_AND_TRUE = "{first} is not None and {first}"


def conditional(match: Match, operation: cst.CSTNode | None, test: str = TRUE) -> Fix | None:
    """Return the fix; None unless the first operand is a variable, because the new code evaluates this operand twice.

    Return None also if the code contains a comment, or is inside an f-string.

    Args:
        match: provides the file.
        operation: ``a or b``, or ``a and b``.
        test: a template for the test of the first operand.
    """
    if not isinstance(operation, cst.BooleanOperation) or not isinstance(operation.left, cst.Name):
        return None
    if "#" in match.code(operation) or match.enclosing(cst.FormattedStringExpression, operation) is not None:
        return None
    kept, other = ("{first}", "{second}") if m.matches(operation, _OR) else ("{second}", "{first}")
    new = expression(f"{kept} if {test} else {other}", first=operation.left, second=operation.right)
    return safe("Write it as a conditional expression", lambda: match.replace(operation, new))
