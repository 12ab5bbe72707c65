"""Output formats: one module each with ``render(report, view) -> str``, which is imported when used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tslint.lint.engine import Report
    from tslint.reporters.view import View

MODULES = {
    "full": "tslint.reporters.full",
    "concise": "tslint.reporters.concise",
    "grouped": "tslint.reporters.grouped",
    "json": "tslint.reporters.json",
    "json-lines": "tslint.reporters.json_lines",
    "github": "tslint.reporters.github",
    "gitlab": "tslint.reporters.gitlab",
    "sarif": "tslint.reporters.sarif",
    "junit": "tslint.reporters.junit",
}
# Services that show files, but not notebooks: they get the row of the file, and the cell in the message.
BY_FILE = ("github", "gitlab", "sarif")


def render(output_format: str, report: Report, view: View) -> str:
    """Return a report in one of the formats of ``MODULES``, with a final newline."""
    if output_format not in BY_FILE and any(name.endswith(".ipynb") for name in report.sources):
        from tslint.reporters.cells import in_cells

        report = in_cells(report)
    text: str = import_module(MODULES[output_format]).render(report, view)
    return text
