"""Statements that compiled code does in another way, while Python does them as before."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.compiled_form import both_ways
from tslint.rewrite.scripting import eager_only
from tslint.rulekit import matchers as m
from tslint.rulekit.definition import without_leading
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import Line, bare, block, fitting, holder, statement

Truth = Callable[[cst.BaseExpression], "bool | None"]
_SIMPLE = m.Assign() | m.AnnAssign() | m.AugAssign() | m.Expr() | m.Return()
_UNREADABLE = m.Lambda() | m.NamedExpr() | m.Await() | m.Yield()
_LEAVES = m.SimpleStatementLine(body=[m.ZeroOrMore(), m.Return() | m.Raise()])


def twice(match: Match, node: cst.BaseExpression, compiled: cst.BaseExpression, message: str) -> Fix | None:
    """Do the event's statement as it is in Python, and with another expression where it is compiled.

    Args:
        match: of the finding.
        node: an expression of the statement.
        compiled: what compiled code evaluates in its place.
        message: what the fix does.
    """
    member, line = match.statement(), match.line()
    if line is None or member is None or not m.matches(member, _SIMPLE) or m.findall(member, _UNREADABLE):
        return None
    if match.binds(match.imported("torch")[0]):
        return None

    def edits() -> tuple[Edit, ...]:
        new = fitting(bare(compiled), holder(node, match.parent(node)))
        if node.lpar:
            new = new.with_changes(lpar=node.lpar, rpar=node.rpar)
        return both_ways(match, line, [line.with_changes(body=[member.deep_replace(node, new)])])

    return unsafe(message, edits, risks=(Risk.DIFFERS,))


def decided_test(match: Match, truth: Truth, message: str) -> Fix | None:
    """Take an ``if`` out of the compiler's sight whose test, with the event in it, compiled code answers in one way.

    Where the test would be false the statement runs in Python only; where it would be true and the block leaves the
    function, the compiled function takes the block first.

    Args:
        match: of the finding.
        truth: what compiled code takes an expression for; None where it could be either.
        message: what the fix does.
    """
    node, line = match.statement(), match.line()
    if not isinstance(node, cst.If) or line is None:
        return None
    answer = _decided(node.test, truth)
    if answer is False:
        return eager_only(match, [line], message) if node.orelse is None else else_alone(match, node, message)
    if answer is None or not isinstance(node.body, cst.IndentedBlock):
        return None
    body = _lines(node.body)
    if node.orelse is not None:
        return unsafe(message, lambda: both_ways(match, line, body), risks=(Risk.DIFFERS,))
    if m.matches(body[-1], _LEAVES):
        # What follows a static branch that returns is not compiled.
        return unsafe(message, lambda: _first(match, line, body), risks=(Risk.DIFFERS,))
    return None


def else_alone(match: Match, node: cst.If, message: str) -> Fix | None:
    """Compile the ``else`` of an ``if`` alone; Python goes on to ask."""
    line, orelse = match.line(node), node.orelse
    if line is None or not isinstance(orelse, cst.Else) or not isinstance(orelse.body, cst.IndentedBlock):
        return None
    body = _lines(orelse.body)
    return unsafe(message, lambda: both_ways(match, line, body), risks=(Risk.DIFFERS,))


def _first(match: Match, line: Line, compiled: Sequence[Line]) -> tuple[Edit, ...]:
    """``if torch.jit.is_scripting(): COMPILED`` before the statement."""
    torch, imports = match.imported("torch")
    test = statement("if {torch}.jit.is_scripting():\n    pass", torch=torch)
    return (match.insert_before(line, test.with_changes(body=block(compiled))), *imports)


def _lines(body: cst.IndentedBlock) -> list[Line]:
    """The statements of a block, without the comments above the first one."""
    first, *rest = (each for each in body.body if isinstance(each, Line))
    return [without_leading(first), *rest]


def _decided(test: cst.BaseExpression, truth: Truth) -> bool | None:
    known = truth(test)
    if known is not None:
        return known
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        inner = _decided(test.expression, truth)
        return None if inner is None else not inner
    if isinstance(test, cst.BooleanOperation):
        parts = [_decided(test.left, truth), _decided(test.right, truth)]
        settles = isinstance(test.operator, cst.Or)
        if settles in parts:
            return settles
        return None if None in parts else not settles
    return None
