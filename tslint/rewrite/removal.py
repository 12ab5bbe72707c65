"""Removes statements."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit
from tslint.rulekit.match import Match


def removed(match: Match, statement: cst.BaseSmallStatement | cst.BaseCompoundStatement) -> tuple[Edit, ...]:
    """Remove a statement, with its line if no other statement shares it."""
    line = match.line(statement)
    if line is not None:
        return match.remove(line)
    shared = match.shared_line(statement) if isinstance(statement, cst.BaseSmallStatement) else None
    if shared is not None:
        return match.rewrite(shared, without(shared, statement))
    return match.replace(statement, cst.Pass())


def without(line: cst.SimpleStatementLine, statement: cst.CSTNode) -> cst.SimpleStatementLine:
    """Return a line of several statements without a given statement."""
    rest = [each for each in line.body if each is not statement]
    last = rest[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
    return line.with_changes(body=[*rest[:-1], last])
