"""``tslint gate``: check the project and verify its targets, with one exit status."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tslint.cli import Failure
from tslint.cli.output import emit, emit_file, must_be_writable, wants_color
from tslint.cli.progress import Progress
from tslint.cli.termination import terminated_in_order
from tslint.config import SEVERITIES, ConfigError, Settings, load_settings, shown
from tslint.diagnostics import Severity
from tslint.gate.shards import Shard
from tslint.util import installed
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.gate.outcome import Outcome
    from tslint.gate.plan import Plan
    from tslint.lint.engine import Read
    from tslint.reporters.view import View
    from tslint.verify.request import Request
    from tslint.verify.verdict import Verdict

_REPORT = click.Path(path_type=Path)


def _shard(ctx: click.Context, param: click.Parameter, value: str | None) -> Shard:
    try:
        return Shard() if value is None else Shard.parse(value)
    except ValueError as error:
        raise Failure(f"--shard: {error}") from error


@record
class _Options:
    """The options, except those that only decide what the gate runs on."""

    output_format: str
    color: str
    only: str | None
    reports: dict[str, Path]


@click.command("gate", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--changed-since", metavar="REF", envvar="PRE_COMMIT_FROM_REF", show_envvar=True,
    help="Check only files that changed since REF in git (committed or not), and verify only targets that use them.",
)  # fmt: skip
@click.option("--shard", metavar="I/N", callback=_shard, help="Split files and targets into N parts, and run part I.")
@click.option("--only", type=click.Choice(["check", "verify"]), help="Only check, or only verify.")
@click.option("--fail-on", type=click.Choice(SEVERITIES), help="Lowest severity that fails. Default: warning.")
@click.option("--output-format", type=click.Choice(["text", "json", "github"]), default="text", help="Default: text.")
@click.option("--junit", type=_REPORT, metavar="FILE", help="Also write a JUnit document.")
@click.option("--report", type=_REPORT, metavar="FILE", help="Also write an html page.")
@click.option("--sarif", type=_REPORT, metavar="FILE", help="Also write the findings as SARIF.")
@click.option("--gitlab", type=_REPORT, metavar="FILE", help="Also write the findings as GitLab's code quality report.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Use this configuration file.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Default: auto.")
@click.pass_context
def command(
    ctx: click.Context, /, paths: tuple[Path, ...], changed_since: str | None, shard: Shard, only: str | None,
    fail_on: str | None, output_format: str, config: Path | None, color: str, **reports: Path | None,
) -> None:  # fmt: skip
    """Check PATHS, and verify every configured target.

    PATHS are files and folders (default: the folder of the configuration). Exit status: 0 passed; 1 findings at or
    above --fail-on, or a target that failed; 2 something could not be checked or verified.
    """
    wanted = {name: file for name, file in reports.items() if file is not None}
    for file in wanted.values():
        must_be_writable(file)
    try:
        settings = load_settings(config=config)
        settings = replace(settings, fail_on=fail_on or settings.fail_on or "warning")
        ctx.exit(_gate(paths, settings, changed_since, shard, _Options(output_format, color, only, wanted)))
    except ConfigError as error:
        raise Failure(str(error)) from error


def _gate(paths: Sequence[Path], settings: Settings, since: str | None, shard: Shard, options: _Options) -> int:
    """Plan, check, verify and report.

    Raises:
        ConfigError: the configuration cannot be used.
        Failure: git cannot list the changes, or torch is missing.
    """
    from tslint.cli.verify import keep_facts
    from tslint.gate.changed import GitFailed, changed_since
    from tslint.gate.outcome import Outcome
    from tslint.gate.plan import plan
    from tslint.gate.run import gate_paths
    from tslint.lint.engine import read
    from tslint.reporters.view import View

    try:
        changes = None if since is None else changed_since(since, settings.root)
    except GitFailed as error:
        raise Failure(f"--changed-since {since}: {error}") from error
    paths = gate_paths(paths, settings)
    files = read(paths, settings)
    for problem in files.problems:
        _say(f"error: {shown(problem.path)}: {problem.message}")
    chosen = plan(files, settings, changes, shard, options.reports.values())
    if options.only != "check" and chosen.targets and find_spec("torch") is None:
        raise Failure(f"torch is missing, which the configured targets need: {installed.command('verify')}")
    _print_scope(chosen, settings, options, since, shard)
    severity = Severity(settings.fail_on or "warning")
    view = View(color=wants_color(options.color, sys.stdout), fail_on=severity)
    outcome = Outcome(chosen, severity)
    if options.only != "verify":
        outcome = _check(files, paths, settings, outcome, view, options)
    if options.only != "check":
        with terminated_in_order():
            outcome = replace(outcome, verdict=_verify(chosen, settings, options))
            if outcome.verdict is not None:
                keep_facts(outcome.verdict, settings)
    if options.output_format == "json":
        emit(json.dumps(outcome.to_json(), indent=2) + "\n")
    elif options.output_format == "github":
        from tslint.gate import github

        emit(github.render(outcome, view))
    else:
        emit(f"\n{outcome.summary}\n")
    _write(outcome, replace(view, color=False), options)
    return outcome.exit_status


def _print_scope(chosen: Plan, settings: Settings, options: _Options, since: str | None, shard: Shard) -> None:
    """Say if no target is configured that could be verified, and what a run with ``--changed-since`` covers."""
    if not settings.targets and options.only != "check":
        _say("note: no targets are configured, so nothing is verified; `tslint init` looks for them")
    part = f" (shard {shard})" if shard.of > 1 else ""
    if since is None:
        return
    from tslint.reporters.view import count

    of = f" of {len(settings.targets)}" if settings.targets else ""
    _say(f"note: {count(len(chosen.files), 'file')} changed since {since}; {len(chosen.targets)}{of} targets{part}")
    for name, why in chosen.targets.items():
        _say(f"note: {name}: {why}")


def _check(
    files: Read, paths: Sequence[Path], settings: Settings, outcome: Outcome, view: View, options: _Options
) -> Outcome:
    from tslint.gate.run import check
    from tslint.reporters import render

    with Progress(sys.stderr, f"Checking {len(files.files)} files", len(files.files)):
        report = check(files, paths, settings, outcome.plan)
    if options.output_format == "text":
        emit(render("full", report, view))
    return replace(outcome, report=report)


def _verify(chosen: Plan, settings: Settings, options: _Options) -> Verdict:
    from tslint.cli.verify import request_of, verified
    from tslint.verify.verdict import Verdict as Nothing

    names = list(chosen.targets)
    if not names:
        return Nothing("", "", ())
    requests = [request_of(name, settings) for name in names]
    snapshot = "report" in options.reports
    requests = [replace(each, skip=_skipped(each), model_snapshot=snapshot) for each in requests]
    if options.output_format == "text":
        emit("\n")
    return verified(requests, options.color if options.output_format == "text" else None)


def _skipped(request: Request) -> tuple[str, ...]:
    """Return the stages that a gate skips: ``export`` never changes a verdict, and runs only if it is named."""
    return request.skip if "export" in (*request.stages, *request.skip) else (*request.skip, "export")


def _write(outcome: Outcome, view: View, options: _Options) -> None:
    """Write the reports that go to files.

    Raises:
        Failure: a file cannot be written.
    """
    from tslint.gate import junit, page
    from tslint.reporters import render

    ways: dict[str, Callable[[], str]] = {
        "junit": lambda: junit.render(outcome, view),
        "report": lambda: page.render(outcome, view),
        "sarif": lambda: render("sarif", outcome.everything, view),
        "gitlab": lambda: render("gitlab", outcome.everything, view),
    }
    for name, file in options.reports.items():
        emit_file(ways[name](), file)


def _say(line: str) -> None:
    click.echo(line, err=True)
