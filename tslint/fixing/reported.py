"""Reads from a report what a run of fixes needs to know."""

from __future__ import annotations

from tslint.diagnostics import Applicability, Diagnostic
from tslint.lint.engine import Report

What = tuple[str, object]
"""A file and the edits of a fix, or the rule and the place of a finding that has no edits."""


def fixable(diagnostic: Diagnostic, unsafe: bool) -> bool:
    """Return whether a finding's fix would be applied; a ``display`` fix never is."""
    if diagnostic.fix is None:
        return False
    return diagnostic.fix.applicability is Applicability.SAFE or (
        unsafe and diagnostic.fix.applicability is Applicability.UNSAFE
    )


def what(finding: Diagnostic) -> What:
    """Return a key that identifies a finding as long as the text does not change."""
    edits = finding.fix.edits if finding.fix is not None else ()
    return finding.filename, edits or (finding.code, finding.start, finding.end)  # a fix that waits has no edits yet


def silent(report: Report) -> list[Diagnostic]:
    """Return the findings about code that compiles and computes a different result than Python."""
    found = (*report.diagnostics, *report.less_grave)
    return [each for each in found if each.code.startswith("TS6") and each.filename in report.sources]
