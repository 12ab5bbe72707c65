"""Colours, short paths, marks and the summary line of the text formats."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from tslint.diagnostics import Applicability, Diagnostic, Severity
from tslint.lint.engine import Report
from tslint.util.record import record

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


def checkout() -> Path:
    """Return the folder for paths in CI: the checkout, if the CI service names it and tslint runs in it; otherwise the
    working folder.
    """
    cwd = Path.cwd()
    for variable in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        named = os.environ.get(variable)
        if named and os.path.isabs(named) and cwd.is_relative_to(named):
            return Path(named)
    return cwd


@record
class View:
    """How a report is shown.

    Args:
        color: whether to style the text for a terminal.
        unsafe: whether ``--unsafe-fixes`` is used, so that unsafe fixes count as fixable.
        fixed: how many findings were fixed in this run.
        fixing: whether ``--fix`` is used, so that the summary does not suggest it.
        waiting: what unsafe fixes that would not be applied now wait for, by the ``id`` of their findings; with
            ``--unsafe-fixes``, also what safe ones wait for.
        safe_may_wait: whether safe fixes may have to wait; the summary then puts ``up to`` before their number.
        quiet: whether to show only findings.
        fail_on: the lowest severity that fails the run.
        cwd: paths below it are shown relative to it.
        root: in the formats for CI services, paths below it are relative to it.
    """

    color: bool = False
    unsafe: bool = False
    fixed: int = 0
    fixing: bool = False
    waiting: Mapping[int, str] = field(default_factory=dict)
    safe_may_wait: bool = False
    quiet: bool = False
    fail_on: Severity = Severity.ERROR
    cwd: Path = field(default_factory=Path.cwd)
    root: Path = field(default_factory=checkout)

    def style(self, text: str, **attributes: Any) -> str:
        """Return ``text`` with colours; unchanged if the view has none."""
        import click

        return click.style(text, **attributes) if self.color else text

    def severity(self, text: str, severity: Severity) -> str:
        """Return ``text`` in the colour of a severity."""
        return self.style(text, fg=_COLORS[severity], bold=True)

    def path(self, filename: str) -> str:
        """Return a path relative to the working folder, if it is below it."""
        try:
            return clean(str(Path(filename).relative_to(self.cwd)))
        except ValueError:
            return clean(filename)

    def address(self, filename: str) -> str:
        """Return a path for CI services: relative to the checkout, with ``/``; absolute outside of it."""
        path = Path(filename)
        return (path.relative_to(self.root) if path.is_relative_to(self.root) else path).as_posix()

    def place(self, diagnostic: Diagnostic) -> str:
        """Return ``path:row:column`` of a finding, ``path:cell 3:row:column`` in a notebook."""
        return f"{self.path(diagnostic.filename)}:{diagnostic.place}"

    def fixable(self, diagnostic: Diagnostic) -> bool:
        """Return whether ``--fix``, added to this command, would apply the finding's fix."""
        if diagnostic.fix is None or id(diagnostic) in self.waiting:
            return False
        wanted = {Applicability.SAFE, Applicability.UNSAFE} if self.unsafe else {Applicability.SAFE}
        return diagnostic.fix.applicability in wanted

    def mark(self, diagnostic: Diagnostic) -> str:
        """Return `` [*]`` if the finding can be fixed; empty otherwise."""
        return " " + self.style("[*]", fg="cyan") if self.fixable(diagnostic) else ""

    def title(self, diagnostic: Diagnostic) -> str:
        """Return code and name, with the severity if it is not an error."""
        text = f"{diagnostic.code} {diagnostic.name}"
        if diagnostic.severity is not Severity.ERROR:
            text += f" ({diagnostic.severity.value})"
        return self.severity(text, diagnostic.severity)


def count(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 error``, ``2 errors``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def joined(parts: list[str]) -> str:
    """Return words as a list in a sentence: ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def clean(text: str) -> str:
    """Return ``text`` on one line, without control characters."""
    if text.isprintable():
        return text
    return "".join("�" if unicodedata.category(char) == "Cc" and char != "\t" else char for char in text)


def summary(report: Report, view: View) -> str:
    """Return the last lines of a report in text formats."""
    if view.quiet:
        return ""
    lines: list[str] = []
    fixed = f"Fixed {count(view.fixed, 'finding')}." if view.fixed else ""
    if fixed:
        lines.append(fixed)
    known = f" ({count(report.known, 'known finding')} in the baseline)" if report.known else ""
    if not report.diagnostics:
        # No finding, but some files could not be checked, so this must not look like success.
        if not report.problems:
            lines.append(view.style("All checks passed!", fg="green", bold=True) + known)
        return "".join(line + "\n" for line in lines)
    counts: list[str] = []
    for severity, noun in ((Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "remark")):
        number = sum(each.severity is severity for each in report.diagnostics)
        if number:
            counts.append(count(number, noun))
    files = count(len({each.filename for each in report.diagnostics}), "file")
    line = f"{'Remaining:' if fixed else 'Found'} {joined(counts)} in {files}{known}"
    safe = sum(view.fixable(each) for each in report.diagnostics)
    unsafe = [each for each in report.diagnostics if each.fix and each.fix.applicability is Applicability.UNSAFE]
    more = sum(id(each) not in view.waiting for each in unsafe)
    option = "--fix --unsafe-fixes" if view.unsafe else "--fix"
    offers: list[str] = []
    if safe and not view.fixing:
        offers.append(f"{'up to ' if view.safe_may_wait else ''}{safe} fixable with `{option}`")
    if more and not view.unsafe:
        offers.append(f"{more}{' more' if offers else ' fixable'} with `--fix --unsafe-fixes`")
    lines.append(line + ("; " + ", ".join(offers) if offers else "") + ".")
    return "".join(line + "\n" for line in lines)
