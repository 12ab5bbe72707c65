"""Recognises literals in the author's code."""

from __future__ import annotations

import libcst as cst

from tslint.rulekit import matchers as m

LITERAL = (
    m.Integer() | m.Float() | m.Imaginary() | m.SimpleString() | m.ConcatenatedString() | m.Ellipsis()
    | m.Name("None") | m.Name("True") | m.Name("False")
)  # fmt: skip


def is_constant(node: cst.BaseExpression) -> bool:
    """Return whether an expression is a constant: a :data:`LITERAL` without formatted parts."""
    return m.matches(node, LITERAL) and not m.findall(node, m.FormattedString())
