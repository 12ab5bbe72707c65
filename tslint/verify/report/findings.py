"""Shows findings with their source, and the inputs found by ``generalize`` that fail."""

from __future__ import annotations

from pathlib import Path

from tslint.diagnostics import Diagnostic
from tslint.reporters.view import View
from tslint.sources import reading
from tslint.sources.file import UnreadableSource
from tslint.verify.report.markup import Markup, join, tag
from tslint.verify.results import TargetVerdict

_AROUND = 2


def findings(target: TargetVerdict, view: View) -> Markup | None:
    """Show the findings of all stages except ``generalize``; None if there are none."""
    each = [
        article(finding, stage.name, view)
        for stage in target.stages
        if stage.name != "generalize"
        for finding in stage.findings
    ]
    return join(each) if each else None


def counterexamples(target: TargetVerdict, view: View) -> Markup | None:
    """Show inputs for which eager works and the compiled module has another result; None if there are none."""
    stage = next((stage for stage in target.stages if stage.name == "generalize"), None)
    if stage is None or stage.status != "failed":
        return None
    if stage.findings:
        return join(article(finding, stage.name, view) for finding in stage.findings)
    return tag("p", stage.detail, class_="counterexample")


def article(finding: Diagnostic, stage: str, view: View) -> Markup:
    """Show one finding, with its source and messages."""
    notes: list[Markup] = []

    def note(label: str, *content: object) -> None:
        notes.append(join([tag("dt", label), tag("dd", *content)]))

    if len(finding.compiled_via) > 1:
        steps = [f"{step.name} ({view.path(step.filename)}:{step.position.row})" for step in finding.compiled_via]
        note("called via" if finding.stage.value == "trace" else "compiled via", " → ".join(steps))
    if finding.compiler and finding.compiler != finding.message:
        note("TorchScript says", tag("q", finding.compiler))
    if finding.help:
        note("help", finding.help)
    if finding.fix:
        note("fix", finding.fix.message, f" ({finding.fix.applicability.value})")
    return tag(
        "article",
        tag(
            "h4",
            tag("span", f"{finding.code} {finding.name}", class_="code"),
            " ",
            tag("span", finding.severity.value, class_=f"badge {finding.severity.value}"),
            " ",
            tag("span", stage, class_="badge"),
        ),
        tag("p", finding.message),
        tag("p", view.place(finding), class_="place"),
        _excerpt(finding),
        tag("dl", *notes) if notes else None,
        class_=f"finding {finding.severity.value}",
    )


def _excerpt(finding: Diagnostic) -> Markup | None:
    try:
        lines = reading.read(Path(finding.filename)).lines
    except UnreadableSource:
        return None
    first = max(1, finding.start.row - _AROUND)
    last = min(len(lines), max(finding.end.row, finding.start.row) + _AROUND)
    rows = [_row(lines[row - 1].rstrip("\r\n"), row, finding) for row in range(first, last + 1)]
    return tag("pre", tag("code", *rows), tabindex="0")


def _row(line: str, row: int, finding: Diagnostic) -> Markup:
    number = tag("span", f"{row:>4} ", class_="number")
    if not finding.start.row <= row <= finding.end.row:
        return join([number, line, "\n"])
    start = finding.start.column - 1 if row == finding.start.row else len(line) - len(line.lstrip())
    end = finding.end.column - 1 if row == finding.end.row else len(line)
    return join([number, line[:start], tag("mark", line[start:end]), line[end:], "\n"])
