"""Simplifies nested tests of ``is_scripting()``.

A fix may write ``A if torch.jit.is_scripting() else B``, where ``A`` and ``B`` already contain such expressions from
earlier fixes. In ``A``, only their forms for the compiler stay, and in ``B`` only their forms for Python.
"""

from __future__ import annotations

from typing import TypeVar, cast

import libcst as cst

from tslint.rulekit import matchers as m
from tslint.rulekit.template import bare, binding, parenthesized

_Node = TypeVar("_Node", bound=cst.CSTNode)
ASKED = m.Call(func=m.Attribute(value=m.Attribute(attr=m.Name("jit")), attr=m.Name("is_scripting")), args=[])
_EITHER = m.IfExp(test=ASKED)


def decided(node: _Node, *, scripting: bool) -> _Node:
    """Return code that only the compiler or only Python reads: each ``A if torch.jit.is_scripting() else B`` in it
    becomes ``A`` or ``B``.

    Args:
        node: an expression or a statement.
        scripting: whether the code is compiled.
    """
    return cast(_Node, node.visit(_Decided(scripting))) if m.findall(node, _EITHER) else node


class _Decided(cst.CSTTransformer):
    """Replaces ``A if torch.jit.is_scripting() else B`` by one of the two."""

    def __init__(self, scripting: bool) -> None:
        super().__init__()
        self._scripting = scripting

    def leave_IfExp(self, original_node: cst.IfExp, updated_node: cst.IfExp) -> cst.BaseExpression:
        if not m.matches(original_node, _EITHER):
            return updated_node
        found = bare(updated_node.body if self._scripting else updated_node.orelse)
        # A name, call or attribute needs no parentheses, even if the conditional expression had some.
        loose = binding(found) < binding(cst.Name("x")) and updated_node.lpar
        return parenthesized(found) if loose else found
