"""Removes statements."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit
from tslint.rulekit.match import Match
from tslint.script.dataflow.evaluation import inert


def removed(match: Match, statement: cst.BaseSmallStatement | cst.BaseCompoundStatement) -> tuple[Edit, ...]:
    """Remove a statement, with its line if no other statement shares it."""
    line = match.line(statement)
    if line is not None:
        return match.remove(line)
    shared = match.shared_line(statement) if isinstance(statement, cst.BaseSmallStatement) else None
    if shared is not None:
        return match.rewrite(shared, without(shared, statement))
    return match.replace(statement, cst.Pass())


def removed_with_test(match: Match, statement: cst.BaseSmallStatement) -> tuple[Edit, ...]:
    """Remove a statement; also remove the ``if`` around it, if the ``if`` contains nothing else and its test runs no
    code of the author.
    """
    around = match.enclosing(cst.If, statement)
    above = match.parent(around) if around is not None else None
    if around is None or around.orelse is not None or isinstance(above, cst.If) or len(match.siblings(statement)) > 1:
        return removed(match, statement)
    direct = any(each is match.model(statement) for each in match.model(around).body)
    whole = direct and isinstance(match.line(around), cst.If) and inert(match.file.tree, [match.model(around.test)])
    return removed(match, around if whole else statement)


def without(line: cst.SimpleStatementLine, statement: cst.CSTNode) -> cst.SimpleStatementLine:
    """Return a line of several statements without a given statement."""
    rest = [each for each in line.body if each is not statement]
    last = rest[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
    return line.with_changes(body=[*rest[:-1], last])
