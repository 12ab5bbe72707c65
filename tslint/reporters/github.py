"""Writes workflow commands that GitHub shows as annotations of the changed lines."""

from __future__ import annotations

from tslint.diagnostics import Diagnostic, Severity
from tslint.lint.engine import Report
from tslint.reporters.cells import in_cell, rows_in_file
from tslint.reporters.view import View, clean

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report, view: View) -> str:
    """Return a command for each finding."""
    return "".join(_command(report, view, each) + "\n" for each in report.diagnostics)


def _command(report: Report, view: View, each: Diagnostic) -> str:
    line, last = rows_in_file(report, each.filename, each.start.row, each.end.row)
    own = in_cell(report, each)
    properties = {
        "title": f"tslint: {each.code} {each.name}",
        "file": view.address(each.filename),
        "line": line,
        "endLine": last,
    }
    # GitHub rejects columns in a range of several lines.
    if each.start.row == each.end.row and own.cell is None:
        properties |= {"col": each.start.column, "endColumn": each.end.column}
    listed = ",".join(f"{key}={escape_property(str(value))}" for key, value in properties.items())
    # The message repeats the place: the log shows only the message, and only the first ten of each kind are annotated.
    message = f"{view.place(own)}: {each.code} {clean(each.message)}"
    message += f"\n{clean(each.help)}" if each.help else ""
    return f"::{_COMMANDS[each.severity]} {listed}::{escape(message)}"


def escape(text: str) -> str:
    """Escape text for the message of a command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Escape text for a property of a command."""
    return escape(text).replace(":", "%3A").replace(",", "%2C")
