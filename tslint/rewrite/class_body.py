"""Statements that fixes add to the body of a class."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst
from libcst import matchers as m

from tslint.diagnostics import Edit
from tslint.project.definitions import Class
from tslint.rulekit.match import Match
from tslint.rulekit.template import Line

_DOCSTRING = m.Expr(m.SimpleString() | m.ConcatenatedString())


def at_top(match: Match, owner: Class, declaration: Line) -> Callable[[], tuple[Edit, ...]] | None:
    """The edits that put a declaration at the top of a class's body, after its docstring; None where others share its
    line."""
    first, *rest = match.siblings(match.libcst(owner.node.body[0]))
    if rest and m.matches(first, _DOCSTRING):
        first = rest[0]
    line = match.line(first)
    if line is None:
        return None
    if isinstance(first, (cst.Assign, cst.AnnAssign)):
        return lambda: (match.insert_before(line, declaration),)
    below = line.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
    return lambda: match.rewrite(line, declaration, below)
