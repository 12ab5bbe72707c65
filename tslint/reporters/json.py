"""The format for programs: one array of findings."""

from __future__ import annotations

import json
from typing import Any

from tslint.diagnostics import Diagnostic, Fix, Position
from tslint.lint.engine import Report
from tslint.reporters.view import View
from tslint.rulekit.rule import URL


def render(report: Report, view: View) -> str:
    """Return a JSON array, sorted by file and place."""
    return json.dumps([finding(each) for each in report.diagnostics], indent=2) + "\n"


def finding(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return a finding as JSON; ``tslint verify`` uses the same form."""
    found: dict[str, Any] = {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": diagnostic.severity.value,
        "stage": diagnostic.stage.value,
        "message": diagnostic.message,
        "filename": diagnostic.filename,
        "location": _position(diagnostic.start),
        "end_location": _position(diagnostic.end),
        "compiled_via": [
            {"name": step.name, "filename": step.filename, "location": _position(step.position), **_cell(step.cell)}
            for step in diagnostic.compiled_via
        ],
        "url": URL.format(name=diagnostic.name),
        "help": diagnostic.help,
        "compiler": diagnostic.compiler,
        "fix": _fix(diagnostic.fix),
    }
    return found | _cell(diagnostic.cell)


def _cell(number: int | None) -> dict[str, int]:
    """Return the cell of a notebook in which rows and columns are counted."""
    return {} if number is None else {"cell": number}


def _position(position: Position) -> dict[str, int]:
    return {"row": position.row, "column": position.column}


def _fix(fix: Fix | None) -> dict[str, Any] | None:
    if fix is None:
        return None
    return {
        "applicability": fix.applicability.value,
        "message": fix.message,
        "risks": [risk.value for risk in fix.risks],
        "edits": [
            {
                "location": _position(edit.start),
                "end_location": _position(edit.end),
                "content": edit.content,
                **_cell(edit.cell),
            }
            for edit in fix.edits
        ],
    }
