"""Rewrites code so that it compiles only for the default value of a flag, and asserts that value.

If a flag (a parameter ``return_attention=False``, or ``self.training``) decides what type a function returns, no single
type would fit both of its values. ``if flag and not torch.jit.is_scripting():`` is the same as ``if flag:`` in Python,
and the compiler drops its body (``emitShortCircuitLogical`` and ``emitIfElseBlocks`` in
torch/csrc/jit/frontend/ir_emitter.cpp).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display
from tslint.rulekit.template import Line, bare, binding, expression, parenthesized, statement
from tslint.script.dataflow.default_flags import Drop, Flags, droppable

_IS = m.Comparison(comparisons=[m.ComparisonTarget(operator=m.Is() | m.IsNot())])


def by_default(match: Match, nodes: Iterable[Any]) -> Fix | None:
    """Return a fix that drops one of the given nodes from compiled code: the first that can be dropped. The fix is a
    last resort.

    Args:
        match: the event.
        nodes: nodes of the static model that prevent compiling, in the order of preference; each may be None.
    """
    unit = match.event.unit
    if unit is None or match.file.tree is not unit.function.module.tree:
        return None
    for flags, drop in droppable(match.event, match.self_name, nodes):
        fix = _dropped(match, flags, drop)
        if fix is not None:
            return replace(fix, last_resort=True)
    return None


def _dropped(match: Match, flags: Flags, drop: Drop) -> Fix | None:
    """Drop the code under a test from compiled code, which then rejects calls that need this code."""
    first, test = match.line(match.libcst(drop.before)), match.libcst(drop.test)
    if first is None or not isinstance(test, cst.BaseExpression):
        return None
    torch, imports = match.imported("torch")
    scripting = expression("{torch}.jit.is_scripting()", torch=torch)
    new = _joined(test, cst.Or(), scripting) if drop.skips else _joined(test, cst.And(), _denied(scripting))

    def edits() -> Iterator[Edit]:
        lines = list(_assertions(match, flags, drop, scripting))
        if lines:
            yield match.insert_before(first, *lines)
        yield from match.replace(test, new)

    defaults = [flags.said(part) for part, _ in drop.asserted]
    words = ", ".join(f"`{each}`" if "=" in each else each for each in defaults)
    return display(f"Compile only the code for {words}; otherwise, compiled code raises", edits, *imports)


def _assertions(match: Match, flags: Flags, drop: Drop, scripting: cst.BaseExpression) -> Iterator[Line]:
    """Yield assertions that reject, in compiled code, the values of flags that need the dropped code; leave out
    assertions that already exist.
    """
    above = [match.libcst(each) for each in drop.above]
    present = [each.test for each in above if isinstance(each, cst.Assert)]
    for part, outcome in drop.asserted:
        node = match.libcst(part)
        assert isinstance(node, cst.BaseExpression)
        test = _joined(node if outcome else _denied(node), cst.Or(), _denied(scripting))
        if not any(bare(each).deep_equals(test) for each in present):
            words = cst.SimpleString(f'"scripted for {flags.said(part)} only"')
            yield statement("assert {test}, {words}", test=test, words=words)


def _joined(left: cst.BaseExpression, operator: cst.BaseBooleanOp, right: cst.BaseExpression) -> cst.BooleanOperation:
    """Join two tests by an operator; a chain of the same operator gets no parentheses."""
    new = cst.BooleanOperation(bare(left), operator, right)
    return new if binding(new.left) >= binding(new) else new.with_changes(left=parenthesized(new.left))


def _denied(test: cst.BaseExpression) -> cst.BaseExpression:
    """Return the opposite of a test: ``x is not None`` for ``x is None``."""
    if not isinstance(test, cst.Comparison) or not m.matches(test, _IS):
        return expression("not {test}", test=test)
    target = test.comparisons[0]
    operator = cst.IsNot() if isinstance(target.operator, cst.Is) else cst.Is()
    return bare(test).with_changes(comparisons=[target.with_changes(operator=operator)])
