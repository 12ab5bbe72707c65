"""The format with findings below the name of their file."""

from __future__ import annotations

from itertools import groupby

from tslint.lint.engine import Report
from tslint.reporters.view import View, clean, summary


def render(report: Report, view: View) -> str:
    """Return a heading for each file, its findings below, and the summary."""
    lines: list[str] = []
    for filename, group in groupby(report.diagnostics, key=lambda each: each.filename):
        findings = list(group)
        lines.append(view.style(view.path(filename), bold=True, underline=True) + ":")
        places = [each.place for each in findings]
        width = max(map(len, places))
        for place, each in zip(places, findings):
            lines.append(f"  {place:<{width}}  {view.title(each)}{view.mark(each)}: {clean(each.message)}")
        lines.append("")
    return "".join(line + "\n" for line in lines) + summary(report, view)
