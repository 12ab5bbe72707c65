"""The format for reading: a line per stage as it ends, then findings with their source, then the verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from tslint.diagnostics import Applicability, Diagnostic, Severity
from tslint.reporters.excerpt import heading, notes
from tslint.reporters.view import View, clean, count
from tslint.rulekit.registry import off_by_default
from tslint.sources import reading
from tslint.sources.file import UnreadableSource
from tslint.verify.progress import Running
from tslint.verify.request import Request
from tslint.verify.results import NOT_REACHED, StageResult, TargetVerdict
from tslint.verify.stage_names import STAGES

_MARKS = {"passed": "✓", "failed": "✗", "skipped": "-", "unavailable": "?"}
_WIDTH = max(map(len, STAGES))
_ASCII = {"passed": "ok", "failed": "FAILED", "skipped": "skipped", "unavailable": "n/a"}
_COLORS = {"passed": "green", "failed": "red", "skipped": "bright_black", "unavailable": "bright_black"}
_VERDICTS = {
    "pass": ("PASS", "green"),
    "fail": ("FAIL", "red"),
    "error": ("ERROR", "red"),
}
_HOW = {
    Applicability.SAFE: "tslint check --fix",
    Applicability.UNSAFE: "tslint check --fix --unsafe-fixes; {}",
    Applicability.DISPLAY: "never applied by --fix: you must finish it, or decide whether it is right",
}


class TextReport:
    """Writes the report during the run.

    Args:
        write: writes a piece of the report.
        stream: the stream that ``write`` writes to; its encoding determines the available characters.
        view: colours and paths.
        running: shows the current stage.
    """

    def __init__(self, write: Callable[[str], None], stream: TextIO, view: View, running: Running) -> None:
        self._write = write
        self._view = view
        self._running = running
        self._unicode = _can_show(stream, "".join(_MARKS.values()))
        self._findings: list[Diagnostic] = []
        self._unreached: list[str] = []
        self._seconds = 0.0
        self._first = True

    def target_started(self, request: Request) -> None:
        """Write the target's name, and the target itself if that differs."""
        more = f" ({clean(request.target)})" if request.title != request.target else ""
        blank = "" if self._first else "\n"
        self._write(f"{blank}{self._view.style(clean(request.title), bold=True)}{more}\n")
        self._findings, self._unreached, self._seconds, self._first = [], [], 0.0, False

    def stage_started(self, name: str) -> None:
        """Show the stage until it ends, on a terminal."""
        self._running.show(name)

    def stage_ended(self, result: StageResult) -> None:
        """Write one line; :meth:`target_ended` writes one line for all stages that were not reached."""
        self._running.clear()
        if result.status == "skipped" and result.detail.endswith(NOT_REACHED):
            self._unreached.append(result.name)
            return
        self._findings += result.findings
        self._seconds += result.seconds
        mark = (
            f"{_MARKS[result.status]} {result.name:<{_WIDTH}}"
            if self._unicode
            else f"{_ASCII[result.status]:<7} {result.name:<{_WIDTH}}"
        )
        time = f"{result.seconds:6.2f} s" if result.status in ("passed", "failed") else " " * 8
        detail = f"  {clean(result.detail)}" if result.detail else ""
        color = _COLORS[result.status]
        if result.status == "skipped":
            detail = self._view.style(detail, fg=color)
        self._write(f"  {self._view.style(mark, fg=color)}{time}{detail}".rstrip() + "\n")

    def target_ended(self, verdict: TargetVerdict) -> None:
        """Write the findings and the verdict."""
        if self._unreached:
            text = f"  {'-' if self._unicode else 'skipped'} not reached: {', '.join(self._unreached)}"
            self._write(self._view.style(text, fg=_COLORS["skipped"]) + "\n")
        for finding in self._findings:
            self._write("\n" + "".join(f"  {line}".rstrip() + "\n" for line in self._block(finding)))
        if self._findings:
            self._write("\n")
        for mode, path in (verdict.artifacts or {}).items():
            if path:
                self._write(f"  {mode} archive: {self._view.path(path)}\n")
        word, color = _VERDICTS[verdict.verdict]
        failed = [stage.name for stage in verdict.stages if stage.counts]
        more = f": {', '.join(failed)} failed" if failed else f": {clean(verdict.reason)}" if verdict.reason else ""
        warned = sum(finding.severity is Severity.WARNING for finding in self._findings)
        if verdict.verdict == "pass" and verdict.left_out:
            more = f" without {', '.join(verdict.left_out)}"
        warnings = count(warned, "warning") if warned and verdict.verdict == "pass" else ""
        remarks = ", ".join(filter(None, [warnings, f"{self._seconds:.1f} s"]))
        self._write(f"  {self._view.style(word, fg=color, bold=True)}{more} ({remarks})\n")

    def finish(self, targets: Sequence[TargetVerdict], torch: str) -> None:
        """Write the last line, if there were several targets."""
        if len(targets) < 2:
            return
        numbers = [sum(each.verdict == word for each in targets) for word in _VERDICTS]
        parts = [
            f"{number} {word}"
            for number, word in zip(numbers, ("passed", "failed", "could not be judged"))
            if number
        ]  # fmt: skip
        self._write(f"\n{count(len(targets), 'target')}: {', '.join(parts)} (torch {torch})\n")

    def _block(self, finding: Diagnostic) -> list[str]:
        view = self._view
        try:
            source = reading.read(Path(finding.filename))
        except UnreadableSource:
            source = None
        found: list[tuple[str, str]] = []
        if len(finding.compiled_via) > 1:
            path = [f"{step.name} ({view.path(step.filename)}:{step.position.row})" for step in finding.compiled_via]
            arrow = " → " if self._unicode else " -> "
            label = "called via" if finding.stage.value == "trace" else "compiled via"
            found.append((label, arrow.join(path)))
        if finding.compiler and finding.compiler != finding.message:
            found.append(("TorchScript says", f'"{clean(finding.compiler)}"'))
        if finding.help:
            found.append(("help", clean(finding.help)))
        if finding.fix:
            how = _HOW[finding.fix.applicability].format(finding.fix.caution)
            if finding.code in off_by_default():
                how = how.replace("--fix", f"--extend-select {finding.code} --fix")
            found.append(("fix", f"{clean(finding.fix.message)} ({how})"))
        return heading(view, finding, source) + notes(view, found)


def _can_show(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
