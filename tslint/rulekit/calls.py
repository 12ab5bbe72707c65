"""The arguments of calls."""

from __future__ import annotations

import libcst as cst
from libcst import matchers as m

_POSITIONAL = m.Arg(keyword=None, star="")


def positional(node: cst.CSTNode) -> list[cst.BaseExpression] | None:
    """The arguments of a call that passes each by its position; None for other calls, and for what is none."""
    if isinstance(node, cst.Call) and all(m.matches(each, _POSITIONAL) for each in node.args):
        return [each.value for each in node.args]
    return None
