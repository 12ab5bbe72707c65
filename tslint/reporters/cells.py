"""Converts positions in notebooks: per cell, or to the row of the file."""

from __future__ import annotations

import re
from dataclasses import replace

from tslint.diagnostics import CallStep, Diagnostic, Edit, Position
from tslint.lint.engine import Report
from tslint.sources.file import SourceFile
from tslint.sources.notebook import Notebook

# The phrase by which messages refer to another row of the same file.
_ROW = re.compile(r"\bline ([1-9][0-9]{0,8})\b")


def in_cells(report: Report) -> Report:
    """Return the same report, with the positions of findings, call paths and edits in notebooks counted per cell."""
    if not any(isinstance(source, Notebook) for source in report.sources.values()):
        return report
    return replace(report, diagnostics=tuple(in_cell(report, each) for each in report.diagnostics))


def in_cell(report: Report, diagnostic: Diagnostic) -> Diagnostic:
    """Return a finding with positions in its cell; the same finding if it is not in a notebook."""
    notebook = report.sources.get(diagnostic.filename)
    if not isinstance(notebook, Notebook):
        return diagnostic
    cell, start = notebook.in_cell(diagnostic.start)
    _, end = notebook.in_cell(diagnostic.end)
    fix = diagnostic.fix
    if fix is not None:
        fix = replace(fix, edits=tuple(_edit(notebook, each) for each in fix.edits))
    path = tuple(_step(report, each) for each in diagnostic.compiled_via)
    message, help = diagnostic.message, diagnostic.help
    # Python's message about a cell already has the lines of the cell.
    if diagnostic.code != "TS901":
        message = _ROW.sub(lambda found: _named(notebook, found), message)
        help = help and _ROW.sub(lambda found: _named(notebook, found), help)
    return replace(
        diagnostic, start=start, end=end, compiled_via=path, fix=fix, cell=cell or None, message=message, help=help
    )


def _named(notebook: Notebook, found: re.Match[str]) -> str:
    cell, place = notebook.in_cell(Position(int(found[1]), 1))
    return f"line {place.row} of cell {cell}"


def _edit(notebook: Notebook, edit: Edit) -> Edit:
    cell, start = notebook.in_cell(edit.start)
    return replace(edit, start=start, end=notebook.in_cell(edit.end)[1], cell=cell or None)


def _step(report: Report, step: CallStep) -> CallStep:
    notebook = report.sources.get(step.filename)
    if not isinstance(notebook, Notebook):
        return step
    cell, position = notebook.in_cell(step.position)
    return replace(step, position=position, cell=cell or None)


def source_of(report: Report, diagnostic: Diagnostic) -> SourceFile | None:
    """Return the text to which the positions of a finding from :func:`in_cells` refer; None if it has no text."""
    source = report.sources.get(diagnostic.filename)
    if isinstance(source, Notebook):
        return dict(source.codes()).get(diagnostic.cell or 0)
    return source


def rows_in_file(report: Report, filename: str, *rows: int) -> tuple[int, ...]:
    """Convert rows of a finding or a call step to rows of the file; the file of a notebook is JSON."""
    source = report.sources.get(filename)
    return tuple(source.row_in_file(row) for row in rows) if isinstance(source, Notebook) else rows
