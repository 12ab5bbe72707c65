"""GitLab's code quality report: it is shown in the merge request, and compared with that of the target branch."""

from __future__ import annotations

import json

from tslint.diagnostics import Severity
from tslint.lint.engine import Report
from tslint.reporters.cells import in_cell, rows_in_file
from tslint.reporters.fingerprints import digest, fingerprints
from tslint.reporters.view import View, clean

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(report: Report, view: View) -> str:
    """Return a JSON array with an issue for each finding."""
    issues = []
    for each, fingerprint in zip(report.diagnostics, fingerprints(report)):
        path = view.address(each.filename)
        begin, end = rows_in_file(report, each.filename, each.start.row, each.end.row)
        own = in_cell(report, each)
        place = f"{own.place}: " if own.cell is not None else ""
        issues.append(
            {
                "description": f"{place}{each.code} {each.name}: {clean(each.message)}",
                "check_name": each.code,
                # GitLab identifies issues by the fingerprint only, across all files.
                "fingerprint": digest(path, fingerprint),
                "severity": _SEVERITIES[each.severity],
                "location": {"path": path, "lines": {"begin": begin, "end": end}},
            }
        )
    return json.dumps(issues, indent=2) + "\n"
