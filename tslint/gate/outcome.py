"""The result of a gate, and its JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tslint.diagnostics import Severity
from tslint.gate.plan import Plan
from tslint.lint.engine import Report
from tslint.reporters.view import count
from tslint.util.record import record
from tslint.verify.verdict import Verdict


@record
class Outcome:
    """The two halves of a gate.

    Args:
        plan: the files and targets.
        fail_on: the lowest severity that fails the gate.
        report: the findings of ``check``; None if it did not run.
        verdict: the verdict of ``verify``; None if it did not run.
    """

    plan: Plan
    fail_on: Severity
    report: Report | None = None
    verdict: Verdict | None = None

    @property
    def failing(self) -> int:
        """Return how many findings fail the gate."""
        if self.report is None:
            return 0
        return sum(each.severity.rank >= self.fail_on.rank for each in self.report.diagnostics)

    @property
    def exit_status(self) -> int:
        """Return 0 if the gate passed, 1 for findings or a failed target, 2 if something could not be checked."""
        problems = self.report is not None and bool(self.report.problems)
        verified = 0 if self.verdict is None else self.verdict.exit_status
        return max(2 if problems else 0, 1 if self.failing else 0, verified)

    @property
    def everything(self) -> Report:
        """Return one report with the findings of both halves, for formats that only support findings."""
        report = self.report or Report((), {}, (), 0)
        found = list(report.diagnostics)
        for target in self.verdict.targets if self.verdict is not None else ():
            found += [finding for stage in target.stages for finding in stage.findings]
        return replace(report, diagnostics=tuple(sorted(dict.fromkeys(found), key=lambda each: each.sort_key)))

    @property
    def summary(self) -> str:
        """Return a summary on one line."""
        parts = []
        if self.report is not None:
            parts.append(f"{count(len(self.report.diagnostics), 'finding')} in {count(self.report.files, 'file')}")
        if self.verdict is not None:
            targets = self.verdict.targets
            passed = sum(target.verdict == "pass" for target in targets)
            parts.append(f"{passed} of {count(len(targets), 'target')} passed" if targets else "no target to verify")
        word = ("passed", "failed", "could not be judged in full")[self.exit_status]
        return f"gate {word}: {'; '.join(parts)}"

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as JSON: ``check`` and ``verify`` contain the output of these commands, or null."""
        from tslint.reporters.json import finding

        report, verdict = self.report, self.verdict
        return {
            "exit_status": self.exit_status,
            "files": list(self.plan.files),
            "targets": dict(self.plan.targets),
            "targets_left_out": self.plan.left_out,
            "check": None if report is None else [finding(each) for each in report.diagnostics],
            "verify": None if verdict is None else verdict.to_json(),
        }
