"""``tslint verify``: prove that a module survives script, trace, save and load."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tslint.cli import Failure
from tslint.cli.output import emit, wants_color
from tslint.cli.termination import terminated_in_order
from tslint.cli.triton import kept, write_repository
from tslint.config import ConfigError, Settings, load_settings
from tslint.util.suggest import did_you_mean
from tslint.util.target_values import GRAD_MODES, STAGES
from tslint.verify.place import slugs
from tslint.verify.reports.formats import OUTPUT_FORMATS
from tslint.verify.request import DEFAULT_MEMORY, DEFAULT_TIMEOUT, Request

if TYPE_CHECKING:
    from tslint.verify.verdict import Verdict

_MODES = {"script": ("script",), "trace": ("trace",), "both": ("script", "trace")}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
_UNITS = {"K": 1 / 1024, "": 1, "M": 1, "G": 1024, "T": 1024 * 1024}
_TOLERANCE = click.FloatRange(min=0)

INPUTS = click.option(
    "--inputs",
    multiple=True,
    metavar="EXPR",
    help="Arguments of forward, as a Python expression over torch; repeatable.",
)
TIMEOUT = click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help=f"Time limit for each target; waiting for a core does not count. Default: {DEFAULT_TIMEOUT:g}.",
)


def _mebibytes(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    size = _SIZE.fullmatch(value.strip())
    if not size or float(size[1]) <= 0:
        raise click.BadParameter(f"{value!r} is not a size; write 8G, or a number of MiB", ctx, param)
    return max(1, round(float(size[1]) * _UNITS[size[2].upper()]))


def _names(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    names = tuple(name.strip() for name in value.split(",") if name.strip())
    for name in names:
        if name not in STAGES:
            hint = did_you_mean(name, STAGES) or f"; stages are {', '.join(STAGES)}"
            raise click.BadParameter(f"there is no stage {name!r}{hint}", ctx, param)
    return names or None


@click.command("verify", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@INPUTS
@click.option("--mode", type=click.Choice(list(_MODES)), help="What to compile with. Default: both.")
@TIMEOUT
@click.option(
    "--memory",
    callback=_mebibytes,
    metavar="SIZE",
    help=f"Memory limit in addition to torch's own. Default: {DEFAULT_MEMORY}M.",
)
@click.option(
    "--stages", callback=_names, metavar="NAMES", help="Run only these stages; a pass needs eager and compare."
)
@click.option("--skip", callback=_names, metavar="NAMES", help="Do not run these stages.")
@click.option("--output-format", type=click.Choice(OUTPUT_FORMATS), default="text", help="Default: text.")
@click.option("--rtol", type=_TOLERANCE, metavar="X", help="Relative tolerance. Default: by dtype.")
@click.option("--atol", type=_TOLERANCE, metavar="X", help="Absolute tolerance. Default: by dtype.")
@click.option(
    "--save-to", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Save the archives to DIR."
)
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write an html page.")
@click.option(
    "--triton", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Write a Triton model repository."
)
@click.option("--lite", is_flag=True, help="Also write archives for the lite interpreter of phones, and run them.")
@click.option("--native", is_flag=True, help="Also run the archives outside Python, with the libtorch of your torch.")
@click.option(
    "--import", "imports", multiple=True, metavar="MODULE", help="Import MODULE before archives are loaded; repeatable."
)
@click.option(
    "--library",
    "libraries",
    multiple=True,
    metavar="FILE",
    help="Load a library of operators before archives are loaded; repeatable.",
)
@click.option("--grad", type=click.Choice(GRAD_MODES), help="Grad mode of all runs. Default: off, as deployed.")
@click.option("--facts-only", is_flag=True, help="Only build the targets, and store facts for `tslint check --target`.")
@click.option(
    "--all-errors",
    is_flag=True,
    help="Replace a function that does not compile by a stub, and go on to the next error.",
)
@click.option("--fix", is_flag=True, help="Apply the safe fixes that a run of the target proves.")
@click.option("--unsafe-fixes/--no-unsafe-fixes", default=None, help="With --fix: also try unsafe fixes.")
@click.option("--diff", is_flag=True, help="With --fix: show what would be written; write nothing.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Use this configuration file.")
@click.option("--isolated", is_flag=True, help="Use no configuration file.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Default: auto.")
@click.pass_context
def command(
    ctx: click.Context, /, targets: tuple[str, ...], config: Path | None, isolated: bool, output_format: str,
    color: str, save_to: Path | None, report: Path | None, triton: Path | None,
    fix: bool, unsafe_fixes: bool | None, diff: bool, facts_only: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Script, trace, save, load and compare each TARGET.

    TARGET is `package.module:attr`, `path.py:attr` or the name of a configured target; attr is an nn.Module class or
    instance, or a function that returns a module or (module, inputs). Without TARGET, every configured target is
    verified. The code runs in a separate process. Exit status: 0 all pass, 1 some failed, 2 some could not be run.
    """
    if config is not None and isolated:
        raise click.UsageError("--config and --isolated cannot be used together", ctx)
    if not fix and (unsafe_fixes or diff):
        raise click.UsageError(f"{'--diff' if diff else '--unsafe-fixes'} needs --fix: pass both", ctx)
    if options["stages"] and options["skip"]:
        raise click.UsageError("--stages and --skip cannot be used together", ctx)
    settings, named = configured_targets(ctx, targets, config, isolated=isolated)
    requests = [request_of(name, settings, **options) for name in named]
    if facts_only:
        _must_be_configured(ctx, named, settings, fix=fix)
        ctx.exit(_facts(requests, settings))
    if save_to is not None:
        requests = _saving(requests, save_to)
    requests = [replace(request, slug=slug) for request, slug in zip(requests, slugs([r.title for r in requests]))]
    if report is not None:
        _must_be_writable(report)
        requests = [replace(request, model_snapshot=True) for request in requests]
    with terminated_in_order(), kept(requests, triton) as requests:
        if fix:
            # Imported here, because fixing imports the whole linter.
            from tslint.cli.verify_fix import run as run_with_fixes

            unsafe = settings.unsafe_fixes if unsafe_fixes is None else unsafe_fixes
            verdict, status = run_with_fixes(requests, settings, output_format, color, unsafe=unsafe, diff=diff)
        else:
            verdict = _run(requests, output_format, color)
            keep_facts(verdict, settings)
            status = verdict.exit_status
        write_repository(triton, requests, verdict)
    if report is not None:
        _write_report(report, verdict)
    ctx.exit(status)


def _saving(requests: Sequence[Request], folder: Path) -> list[Request]:
    """Return requests whose archives are kept in a folder.

    Raises:
        Failure: the folder cannot be created.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"{folder}: archives cannot be saved there: {error.strerror or error}") from error
    return [replace(request, save_to=str(folder.absolute())) for request in requests]


def _must_be_configured(ctx: click.Context, named: Sequence[str], settings: Settings, *, fix: bool) -> None:
    """Check that each target has a configured name, because facts are stored under it.

    Raises:
        UsageError: a target has no name, or another action is requested, too.
    """
    if fix:
        raise click.UsageError("--facts-only and --fix cannot be used together", ctx)
    for name in named:
        if name not in settings.targets:
            raise click.UsageError(f"--facts-only needs a configured target, and {name} is not one", ctx)


def _facts(requests: Sequence[Request], settings: Settings) -> int:
    """Build the targets and store their facts; return 2 if a target cannot be built or a file cannot be written.

    Raises:
        Failure: torch is missing.
    """
    from tslint.verify.runner import Silence, TorchMissing, run

    try:
        with terminated_in_order():
            verdict = run([replace(request, until="build") for request in requests], Silence())
    except TorchMissing as error:
        raise Failure(str(error)) from error
    kept = keep_facts(verdict, settings)
    for target in verdict.targets:
        failed = next((stage.detail for stage in target.stages if stage.status == "failed"), "they cannot be stored")
        said = "facts are up to date" if target.target in kept else f"no facts: {failed}"
        click.echo(f"{target.target}: {said}", err=target.target not in kept)
    return 0 if len(kept) == len(verdict.targets) else 2


def keep_facts(verdict: Verdict, settings: Settings) -> set[str]:
    """Store the facts of built targets for ``tslint check --target``; return the names of those that were stored."""
    from tslint.lint.target_facts import keep

    built = [(each.target, each.facts) for each in verdict.targets if each.facts is not None]
    return {name for name, facts in built if name in settings.targets and keep(settings, name, facts)}


def _must_be_writable(report: Path) -> None:
    """Check, before a long run, that the report can be written.

    Raises:
        Failure: the file cannot be written.
    """
    try:
        with report.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise Failure(f"{report}: the report cannot be written there: {error.strerror or error}") from error


def _write_report(report: Path, verdict: Verdict) -> None:
    from tslint.verify.report import render

    try:
        report.write_text(render(verdict), encoding="utf-8")
    except OSError as error:
        raise Failure(f"{report}: the report cannot be written there: {error.strerror or error}") from error


def configured_targets(
    ctx: click.Context, targets: tuple[str, ...], config: Path | None, *, isolated: bool
) -> tuple[Settings, tuple[str, ...]]:
    """Return the settings, and the targets: those that are named or, if none are, all that are configured."""
    try:
        settings = load_settings(config=config, isolated=isolated)
    except ConfigError as error:
        raise Failure(str(error)) from error
    named = targets or tuple(settings.targets)
    if not named:
        raise click.UsageError("pass a TARGET, such as pkg.net:Net or net.py:Net; none is configured", ctx)
    return settings, named


def request_of(
    name: str, settings: Settings, *, inputs: tuple[str, ...] = (), mode: str | None = None, **asked: Any
) -> Request:
    """Return the request for a target: from the options, and otherwise from the configuration.

    Args:
        name: the name of a configured target, or the target itself.
        settings: the settings with the configured targets.
        inputs, mode: the values of the options.
        asked: further fields of the request; None or False if no option sets them.
    """
    configured = settings.targets.get(name)
    known = list(settings.targets)
    hint = did_you_mean(name, known) or (f"; configured targets are {', '.join(known)}" if known else "")
    request = Request(name, modes=_MODES[settings.mode], hint=hint, target_torch=settings.target_torch)
    if configured is not None:
        values = {each.name: getattr(configured, each.name) for each in fields(configured)}
        values = {key: value for key, value in values.items() if value is not None}
        enough = bool(configured.stages) and not asked.get("stages")
        request = replace(
            request,
            base=str(settings.root.absolute()),
            name=name,
            hint="",
            all_that_is_asked=enough,
            facts=True,
            **values,
        )
    given = {key: value for key, value in asked.items() if value not in (None, False, ())}
    return replace(
        request, inputs=inputs or request.inputs, modes=_MODES[mode] if mode else request.modes, **given
    )  # fmt: skip


def _run(requests: list[Request], output_format: str, color: str) -> Verdict:
    """Verify and report.

    Raises:
        Failure: torch is missing.
    """
    from tslint.verify.reports.formats import render
    from tslint.verify.runner import TorchMissing

    try:
        verdict = verified(requests, color if output_format == "text" else None)
    except TorchMissing as error:
        raise Failure(str(error)) from error
    if output_format != "text":
        emit(render(output_format, verdict))
    return verdict


def verified(requests: list[Request], color: str | None) -> Verdict:
    """Verify targets; write the text report while they run or, if ``color`` is None, only show the progress."""
    from tslint.reporters.view import View
    from tslint.verify.progress import Running, StderrProgress
    from tslint.verify.reports.text import TextReport
    from tslint.verify.runner import run

    if color is None:
        progress = StderrProgress(sys.stderr)
        try:
            return run(requests, progress)
        finally:
            progress.close()
    running = Running(sys.stdout, sys.stdout.isatty())
    report = TextReport(emit, sys.stdout, View(color=wants_color(color, sys.stdout)), running)
    try:
        verdict = run(requests, report)
    finally:
        running.close()
    report.finish(verdict.targets, verdict.torch)
    return verdict
