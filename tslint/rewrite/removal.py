"""Statements taken away."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit
from tslint.rulekit.match import Match


def removed(match: Match, statement: cst.BaseSmallStatement | cst.BaseCompoundStatement) -> tuple[Edit, ...]:
    """Take a statement away with its line; beside others on one line, ``pass`` stays."""
    line = match.line(statement)
    return match.remove(line) if line is not None else match.replace(statement, cst.Pass())
