"""Writes one form of an expression for compiled code, and keeps the author's form for Python."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.decided import decided
from tslint.rewrite.line_above import in_place_or_above
from tslint.rulekit.definition import small
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import Line, block, expression, statement
from tslint.script.dataflow.left_out import can_be_left_out
from tslint.script.dataflow.readable import readable
from tslint.script.dataflow.scripting_tests import asks_is_scripting


def either(
    match: Match,
    node: cst.BaseExpression,
    compiled: cst.BaseExpression,
    message: str,
    *more: Edit,
    risks: tuple[Risk, ...] = (Risk.DIFFERS,),
) -> Fix | None:
    """Replace an expression by ``COMPILED if torch.jit.is_scripting() else NODE``.

    Args:
        match: the match of the finding.
        node: an expression that is read; Python still evaluates it.
        compiled: the expression for compiled code.
        message: what the fix does.
        more: further edits, of imports or definitions.
        risks: how compiled code may differ.

    Returns:
        None if the compiler cannot read the kept form, or the function uses the name ``torch`` for something else.
    """
    if not can_branch(match, node):
        return None
    return unsafe(message, lambda: branch(match, node, compiled), *more, risks=risks)


def two_forms(
    match: Match, node: cst.BaseExpression, compiled: cst.BaseExpression, message: str, *risks: Risk
) -> Fix | None:
    """Return the fix of :func:`either`, which is *safe* if it has no risks; None if the author already tests
    ``is_scripting()``.
    """
    if not can_branch(match, node) or asks_is_scripting(match.file.tree, match.model(node)):
        return None
    if not risks:
        return safe(message, lambda: branch(match, node, compiled))
    return unsafe(message, lambda: branch(match, node, compiled), risks=risks)


def can_branch(match: Match, node: cst.BaseExpression) -> bool:
    """Return whether ``COMPILED if torch.jit.is_scripting() else NODE`` can be written: the compiler can read the
    expression without compiling it, and the function does not use the name ``torch`` for something else.
    """
    torch, _ = match.imported("torch")
    return readable(match.file.tree, match.model(node)) and not match.binds(torch)


def branch(
    match: Match,
    node: cst.BaseExpression,
    compiled: cst.BaseExpression,
    eager: cst.BaseExpression | None = None,
    test: cst.BaseExpression | None = None,
) -> tuple[Edit, ...]:
    """Return the edits of :func:`either`.

    Args:
        match: the match of the finding.
        node: the expression.
        compiled: the expression for compiled code.
        eager: the expression for Python; None for the author's.
        test: a further condition for compiled code.
    """
    torch, imports = match.imported("torch")
    asked = expression("{torch}.jit.is_scripting()", torch=torch)
    if test is not None:
        asked = expression("{asked} and {test}", asked=asked, test=test)
    other = node if eager is None else eager
    # With a further test, compiled code may also take the branch of the old expression.
    old = decided(other, scripting=False) if test is None else other
    new = expression("{new} if {asked} else {old}", new=decided(compiled, scripting=True), asked=asked, old=old)
    assert isinstance(new, cst.IfExp)
    return (*in_place_or_above(match, node, new), *imports)


def eager_only(
    match: Match,
    lines: list[Line],
    message: str = "Run it in eager mode only",
    risks: tuple[Risk, ...] = (Risk.DIFFERS,),
) -> Fix | None:
    """Put statements under ``if not torch.jit.is_scripting():``, which the compiler skips.

    Args:
        match: the match of the finding.
        lines: consecutive statements of one block, which bind nothing that is used elsewhere.
        message: what the fix does.
        risks: how compiled code may differ; without any the fix is *safe*.

    Returns:
        None if the statements may have an effect that other processes or devices wait for.
    """
    if not can_be_left_out(match.file.tree, [match.model(small(line)) for line in lines]):
        return None
    return behind_test(match, lines, message, risks)


def behind_test(match: Match, lines: list[Line], message: str, risks: tuple[Risk, ...] = (Risk.DIFFERS,)) -> Fix:
    """Put statements under ``if not torch.jit.is_scripting():``, without a check that they can be left out."""
    torch, imports = match.imported("torch")
    test = statement("if not {torch}.jit.is_scripting():\n    pass", torch=torch)

    def edits() -> tuple[Edit, ...]:
        return match.rewrite_all(lines, test.with_changes(body=block(lines)))

    return unsafe(message, edits, *imports, risks=risks) if risks else safe(message, edits, *imports)
