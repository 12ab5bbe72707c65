"""The format for programs that read line by line: one JSON object per finding."""

from __future__ import annotations

import json

from tslint.lint.engine import Report
from tslint.reporters.json import finding
from tslint.reporters.view import View


def render(report: Report, view: View) -> str:
    """Return one object per line, each as in the ``json`` format."""
    return "".join(json.dumps(finding(each)) + "\n" for each in report.diagnostics)
