"""Recognises strings over several lines, which must not be indented with the code."""

from __future__ import annotations

import libcst as cst

from tslint.rulekit import matchers as m

_TEXT = m.SimpleString() | m.FormattedString() | m.ConcatenatedString()


def has_long_text(node: cst.CSTNode) -> bool:
    """Return whether code contains a string over several rows, which must not be indented again."""
    code = cst.Module([]).code_for_node
    return any("\n" in code(each) for each in m.findall(node, _TEXT))
