"""The format for reading: source, message, call path and fix."""

from __future__ import annotations

from tslint.diagnostics import Applicability, Diagnostic
from tslint.lint.engine import Report
from tslint.reporters.cells import source_of
from tslint.reporters.excerpt import excerpt
from tslint.reporters.view import View, clean, summary

_PROMISES = {
    Applicability.SAFE: "--fix",
    Applicability.UNSAFE: "--fix --unsafe-fixes; {}",
    Applicability.DISPLAY: "never applied by --fix: you must decide or finish it",
}


def render(report: Report, view: View) -> str:
    """A block for each finding, and the summary."""
    blocks = ["\n".join(_block(report, view, diagnostic)) + "\n\n" for diagnostic in report.diagnostics]
    return "".join(blocks) + summary(report, view)


def _block(report: Report, view: View, diagnostic: Diagnostic) -> list[str]:
    source = source_of(report, diagnostic)
    lines = [f"{view.title(diagnostic)}{view.mark(diagnostic)}: {view.style(clean(diagnostic.message), bold=True)}"]
    gutter = " " * (len(str(diagnostic.start.row + 1)) if source else 1)
    lines.append(f"{gutter}{view.style('-->', fg='blue')} {view.place(diagnostic)}")
    if source is not None:
        lines += excerpt(
            source,
            diagnostic.start,
            diagnostic.end,
            rule=lambda text: view.style(text, fg="blue"),
            caret=lambda text: view.severity(text, diagnostic.severity),
        )
    notes: list[tuple[str, str]] = []
    if diagnostic.compiler:
        notes.append(("TorchScript says", f'"{clean(diagnostic.compiler)}"'))
    if diagnostic.help:
        notes.append(("help", clean(diagnostic.help)))
    if diagnostic.fix:
        how = _PROMISES[diagnostic.fix.applicability].format(diagnostic.fix.caution)
        notes.append(("fix", f"{clean(diagnostic.fix.message)} ({how})"))
    if len(diagnostic.compiled_via) > 1:
        lines += _path(view, diagnostic)
    for label, text in notes:
        lines.append(f"  {view.style('=', fg='blue')} {view.style(label + ':', bold=True)} {text}")
    return lines


def _path(view: View, diagnostic: Diagnostic) -> list[str]:
    """Return the calls that lead to the code: the functions on one line, each with its position."""
    steps = diagnostic.compiled_via
    line = " → ".join(step.name for step in steps)
    lines = [f"  {view.style('=', fg='blue')} {view.style('compiled via:', bold=True)} {line}"]
    width = max(len(step.name) for step in steps)
    for step in steps:
        place = f"{view.path(step.filename)}:{step.place}"
        lines.append(f"      {step.name:<{width}}  {view.style(place, dim=True)}")
    return lines
