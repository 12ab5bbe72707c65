"""Values that are written out."""

from __future__ import annotations

import libcst as cst
from libcst import matchers as m

_WORD = m.Name("None") | m.Name("True") | m.Name("False")
_PLAIN = m.Integer() | m.Float() | m.Imaginary() | m.SimpleString() | m.Ellipsis() | _WORD


def is_constant(node: cst.BaseExpression) -> bool:
    """Whether an expression is a number, a text, ``None``, ``True`` or ``False``: a constant of Python's grammar."""
    if isinstance(node, cst.ConcatenatedString):
        return is_constant(node.left) and is_constant(node.right)
    return m.matches(node, _PLAIN)
