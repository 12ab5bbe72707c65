"""Declarations at the top of a class body."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst
from libcst import matchers as m

from tslint.diagnostics import Edit
from tslint.project.definitions import Class
from tslint.rulekit.match import Match
from tslint.rulekit.template import Line

_TEXT = m.SimpleString() | m.ConcatenatedString()
_VARIABLE = m.SimpleStatementLine(body=[m.Assign() | m.AnnAssign()])


def first_line(match: Match, class_: Class) -> Line | None:
    """What declarations of a class of this file go above: its first statement that is no docstring; None where that
    shares its line."""
    body = class_.node.body
    first = match.libcst(body[0])
    if m.matches(first, m.Expr(value=_TEXT)) and len(body) > 1:
        first = match.libcst(body[1])
    return match.line(first)


def declared(match: Match, first: Line, *lines: Line) -> tuple[Edit, ...]:
    """Put declarations above a class's first statement, and a blank line between them and a method."""
    if m.matches(first, _VARIABLE):
        return (match.insert_before(first, *lines),)
    return match.rewrite(first, *lines, first.with_changes(leading_lines=[cst.EmptyLine(indent=False)]))


def at_top(match: Match, owner: Class, declaration: Line) -> Callable[[], tuple[Edit, ...]] | None:
    """The edits that put a declaration at the top of a class's body; None where its place shares a line."""
    first = first_line(match, owner)
    return (lambda: declared(match, first, declaration)) if first is not None else None
