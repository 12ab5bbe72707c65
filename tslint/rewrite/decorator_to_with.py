"""Writes the effect of a decorator as a ``with`` around the body."""

from __future__ import annotations

from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rulekit import matchers as m
from tslint.rulekit.definition import without_leading
from tslint.rulekit.literals import LITERAL
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display, safe
from tslint.rulekit.template import Line, block, code, expression, statement
from tslint.script.dataflow.shared_results import may_share

_DOCSTRING = m.SimpleStatementLine(body=[m.Expr(m.SimpleString() | m.ConcatenatedString())])
_LATER = m.Yield() | m.Await()


def as_with(match: Match, mark: Any, effect: str) -> Fix | None:
    """Write a decorator of torch as a ``with`` in the body; None unless the ``with`` is known to compile.

    Args:
        match: the match of the finding.
        mark: the decorator, a node of the static model.
        effect: what the decorator does, as torch names it: ``no_grad``. Only this and ``autocast`` can be written.
    """
    decorator = match.libcst(mark)
    if effect not in ("no_grad", "autocast") or m.findall(decorator, m.Name("custom_fwd")):
        return None
    if isinstance(decorator, cst.Call):
        return _move_into_with(match, mark, decorator, decorator)
    if effect == "autocast" or not isinstance(decorator, cst.BaseExpression):
        return None
    return _move_into_with(match, mark, decorator, expression("{manager}()", manager=decorator))


def _move_into_with(match: Match, mark: Any, decorator: cst.BaseExpression, manager: cst.BaseExpression) -> Fix | None:
    """Remove the event's decorator and put the body into ``with manager:``; None if that is not equivalent.

    Args:
        match: the match of the finding.
        mark: the decorator, a node of the static model.
        decorator: a name, or a call of one.
        manager: the context manager of the ``with``.
    """
    function = match.function
    # Wrappers of decorators below this one would run outside of the `with`. The body of a generator or coroutine runs
    # only after the call.
    if function is None or function.decorators[-1].decorator is not decorator or m.findall(function, _LATER):
        return None
    if function.asynchronous is not None or not _is_constant(match, decorator):
        return None
    line, body = match.line(function), function.body
    if line is None or not isinstance(body, cst.IndentedBlock):
        return None
    documented = m.matches(body.body[0], _DOCSTRING)
    inside = [each for each in body.body[documented:] if isinstance(each, Line)]
    if not inside:
        return None

    def edits() -> tuple[Edit, ...]:
        first, *rest = inside
        entered = statement("with {manager}:\n    pass", manager=manager).with_changes(
            leading_lines=first.leading_lines, body=block([without_leading(first), *rest])
        )
        *others, removed = function.decorators
        new = function.with_changes(
            decorators=others,
            lines_after_decorators=(*removed.leading_lines, *function.lines_after_decorators),
            body=body.with_changes(body=[*body.body[:documented], entered]),
        )
        return match.rewrite(line, new)

    message = f"Write `with {' '.join(code(manager).split())}:` around the body"
    if may_share(match.file.tree, mark):
        return display(message, edits)
    return safe(message, edits)


def _is_constant(match: Match, decorator: cst.BaseExpression) -> bool:
    """Return whether a decorator would have the same value in each call of the function, where the ``with`` evaluates
    it; Python evaluates a decorator only once.
    """
    called, arguments = decorator, []
    if isinstance(decorator, cst.Call):
        called, arguments = decorator.func, list(decorator.args)
    if any(each.star or not m.matches(each.value, LITERAL | m.Attribute()) for each in arguments):
        return False
    roots = [_root(each.value) for each in arguments if isinstance(each.value, cst.Attribute)]
    if not all(m.matches(each, m.Name("torch")) for each in roots):
        return False
    return not any(isinstance(each, cst.Name) and match.binds(each.value) for each in (_root(called), *roots))


def _root(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return the first part of a dotted name."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return node
