"""Implements ``tslint verify --fix``, which applies fixes only if a run of the target shows that they work."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Sequence

import click

from tslint.cli import Failure
from tslint.cli.output import emit, wants_color
from tslint.config import ConfigError, Settings
from tslint.fixing.verified import fix_target
from tslint.reporters.view import View
from tslint.verify.progress import Running
from tslint.verify.reports import fixes
from tslint.verify.reports.formats import render
from tslint.verify.reports.text import TextReport
from tslint.verify.request import Request
from tslint.verify.results import TargetVerdict
from tslint.verify.runner import Runs, Silence, TorchMissing
from tslint.verify.verdict import Verdict


def run(
    requests: Sequence[Request], settings: Settings, output_format: str, color: str, *, unsafe: bool, diff: bool
) -> tuple[Verdict, int]:
    """Fix targets one after the other, and report what was fixed.

    Args:
        requests: the targets.
        settings: the settings of the project.
        output_format: the format of the report.
        color: ``auto``, ``always`` or ``never``.
        unsafe: whether to try unsafe fixes, too.
        diff: whether to show what would be written, and write nothing.

    Returns:
        The verdict on the files that are on disk at the end, and the exit status.

    Raises:
        Failure: torch is missing, or the configuration names something that does not exist.
    """
    text = output_format == "text"
    stream = sys.stdout if text else sys.stderr
    running = Running(stream, stream.isatty())
    view = View(color=wants_color(color, sys.stdout))
    report = TextReport(emit, sys.stdout, view, running)
    verdicts: list[TargetVerdict] = []
    try:
        with Runs() as runs:
            for request in requests:
                trying = _Trying(running.show)
                verdict = fix_target(request, settings, runs, unsafe=unsafe, write=not diff, progress=trying)
                running.clear()
                verdicts.append(verdict)
                if text:
                    _print_verdict(request, verdict, report, view, diff=diff)
                if verdict.repair is not None and verdict.repair.problem:
                    click.echo(f"error: {request.title}: {verdict.repair.problem}", err=True)
            found = Verdict(runs.torch, platform.python_version(), tuple(verdicts))
    except TorchMissing as error:
        raise Failure(str(error)) from error
    except ConfigError as error:
        raise Failure(str(error)) from error
    finally:
        running.close()
    if text:
        report.finish(found.targets, found.torch)
    else:
        emit(render(output_format, found))
    return found, _status(found, diff=diff)


def _status(found: Verdict, *, diff: bool) -> int:
    """Return the exit status: 2 if something could not be done; 1 if a target fails, or passes only with changes that
    ``--diff`` does not write; otherwise 0.
    """
    repairs = [target.repair for target in found.targets if target.repair is not None]
    if any(repair.problem for repair in repairs):
        return 2
    return max(found.exit_status, int(diff and any(repair.files for repair in repairs)))


def _print_verdict(request: Request, verdict: TargetVerdict, report: TextReport, view: View, *, diff: bool) -> None:
    report.target_started(request)
    for stage in verdict.stages:
        report.stage_ended(stage)
    report.target_ended(verdict)
    if verdict.repair is not None:
        changes = "".join(line + "\n" for line in fixes.lines(verdict.repair, view, showing=diff))
        emit(("\n" + changes if changes else "") + (f"\n{verdict.repair.diff}" if diff and verdict.repair.diff else ""))


class _Trying(Silence):
    """Shows the current run and its stage on the terminal."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._title = ""
        self._run = 0

    def target_started(self, request: Request) -> None:
        """Count the run of the target."""
        self._title = request.title
        self._run += 1

    def stage_started(self, name: str) -> None:
        """Show the stage."""
        self._show(f"{self._title}: run {self._run}, {name}")
