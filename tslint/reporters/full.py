"""The format for reading: source, message, call path and fix."""

from __future__ import annotations

from tslint.diagnostics import Applicability, Diagnostic
from tslint.lint.engine import Report
from tslint.reporters.cells import source_of
from tslint.reporters.excerpt import heading, notes
from tslint.reporters.view import View, clean, summary

_PROMISES = {
    Applicability.SAFE: "--fix",
    Applicability.UNSAFE: "--fix --unsafe-fixes; {}",
    Applicability.DISPLAY: "never applied by --fix: you must finish it, or decide whether it is right",
}


def render(report: Report, view: View) -> str:
    """Return a block for each finding, and the summary."""
    blocks = ["\n".join(_block(report, view, diagnostic)) + "\n\n" for diagnostic in report.diagnostics]
    return "".join(blocks) + summary(report, view)


def _block(report: Report, view: View, diagnostic: Diagnostic) -> list[str]:
    lines = heading(view, diagnostic, source_of(report, diagnostic), view.mark(diagnostic))
    found: list[tuple[str, str]] = []
    if diagnostic.compiler:
        found.append(("TorchScript says", f'"{clean(diagnostic.compiler)}"'))
    if diagnostic.help:
        found.append(("help", clean(diagnostic.help)))
    if diagnostic.fix:
        how = _PROMISES[diagnostic.fix.applicability].format(diagnostic.fix.caution)
        if waits_for := view.waiting.get(id(diagnostic)):
            how = f"waits for {waits_for}; then {how}"
        found.append(("fix", f"{clean(diagnostic.fix.message)} ({how})"))
    if diagnostic.calls:
        lines += _path(view, diagnostic)
    return lines + notes(view, found)


def _path(view: View, diagnostic: Diagnostic) -> list[str]:
    """Return a line with the call path to the code, and a line with the position of each function in it."""
    steps = diagnostic.calls
    line = " → ".join(step.name for step in steps)
    lines = notes(view, [("compiled via", line)])
    width = max(len(step.name) for step in steps)
    for step in steps:
        place = f"{view.path(step.filename)}:{step.place}"
        lines.append(f"      {step.name:<{width}}  {view.style(place, dim=True)}")
    return lines
