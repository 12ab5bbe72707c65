"""The format with one line for each finding."""

from __future__ import annotations

from tslint.lint.engine import Report
from tslint.reporters.view import View, clean, summary


def render(report: Report, view: View) -> str:
    """Return a line such as ``net.py:3:9: TS104 [*] message`` for each finding, and the summary."""
    lines = [
        f"{view.place(each)}: {view.severity(each.code, each.severity)}{view.mark(each)} {clean(each.message)}\n"
        for each in report.diagnostics
    ]
    return "".join(lines) + summary(report, view)
