"""Adds declarations at the top of a class body."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Any

from tslint.diagnostics import Edit
from tslint.rulekit import matchers as m
from tslint.rulekit.definition import small
from tslint.rulekit.match import Match
from tslint.rulekit.template import Line
from tslint.script.dataflow.scopes import set_in_order

_ANNOTATION = m.AnnAssign()
_TEXT = m.SimpleString() | m.ConcatenatedString()
_VARIABLE = m.SimpleStatementLine(body=[m.Assign() | m.AnnAssign()])


def first_line(match: Match, class_: Any) -> Line | None:
    """Return the statement above which declarations are inserted: the first after the docstring. Return None if this
    statement shares its line with others, or with the ``class``.

    Args:
        match: a match in the file of the class.
        class_: the class, a node of the static model.
    """
    body = class_.body
    if body[0].lineno == class_.lineno:
        return None
    first = match.libcst(body[0])
    if m.matches(first, m.Expr(value=_TEXT)) and len(body) > 1:
        first = match.libcst(body[1])
    return match.line(first)


def declared(match: Match, first: Line, *lines: Line) -> tuple[Edit, ...]:
    """Put declarations above a class's first statement; a blank line follows unless that statement is an assignment."""
    return (match.insert_before(first, *lines, blank=0 if m.matches(first, _VARIABLE) else 1, comments=True),)


def at_top(
    match: Match, class_: Any, name: str, declaration: Line, scope: Any
) -> Callable[[], tuple[Edit, ...]] | None:
    """Return a function that creates the edits for a declaration at the top of a class's body; None if the first
    statement there shares its line with others.

    Args:
        match: a match in the file of the class.
        class_: the class, a node of the static model.
        name: the declared name.
        declaration: the declaration.
        scope: the class or module that sets the names. The declaration goes above the annotations of names that are set
            later; if there are none, below the last annotation.
    """
    first = first_line(match, class_)
    if first is None:
        return None
    names = set_in_order(scope)
    later = names[names.index(name) + 1 :] if name in names else []
    lines = match.siblings(small(first))
    there = list(takewhile(lambda each: m.matches(each, _ANNOTATION), lines[lines.index(small(first)) :]))
    for each in there:
        line = match.line(each)
        if line is not None and any(m.matches(each, m.AnnAssign(m.Name(other))) for other in later):
            return lambda: (match.insert_before(line, declaration),)
    last = match.line(there[-1]) if there else None
    if last is not None:
        return lambda: (match.insert_after(last, declaration),)
    return lambda: declared(match, first, declaration)
