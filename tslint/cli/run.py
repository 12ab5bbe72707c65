"""Runs ``tslint check`` after its options are parsed."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from tslint.cli.baselining import Keeper
from tslint.cli.output import emit, emit_bytes, emit_file, must_be_writable, wants_color
from tslint.cli.progress import Progress
from tslint.config import WITH_EDITS, Settings, shown
from tslint.diagnostics import Severity
from tslint.lint.engine import Loaded, Read, Report, decode, judge, read, read_around
from tslint.lint.parallel import begin
from tslint.reporters import render
from tslint.reporters.view import View, count
from tslint.sources.file import SourceFile
from tslint.util import process_pool
from tslint.util.process_pool import without_collection
from tslint.util.record import record

# The formats that end with a summary, which offers fixes.
_WITH_SUMMARY = ("full", "concise", "grouped")


@record
class Options:
    """The options besides paths and settings."""

    fix: bool = False
    diff: bool = False
    quiet: bool = False
    statistics: bool = False
    write_baseline: bool = False
    add_ignore: bool = False
    within: Path | None = None
    force_exclude: bool = False
    output_file: Path | None = None
    color: str = "auto"
    exit_zero: bool = False
    cache: bool = True


def run(paths: Sequence[Path], stdin: Path | None, settings: Settings, options: Options) -> int:
    """Check and report; also fix, or show what would be fixed.

    Args:
        paths: the paths as they were named.
        stdin: the name for the standard input, if that is checked instead.
        settings: the settings with the options applied.
        options: the other options.

    Returns:
        The exit status.

    Raises:
        ConfigError: an unknown rule in the settings.
        Failure: the report or the baseline cannot be written.
    """
    keeper = Keeper.of(
        settings, paths, writing=options.write_baseline, silent=stdin is not None, diff=options.diff,
        quiet=options.quiet,
    )  # fmt: skip
    if options.output_file is not None:
        must_be_writable(options.output_file)
    try:
        return _run(paths, stdin, settings, options, keeper)
    finally:
        process_pool.end()


def _run(paths: Sequence[Path], stdin: Path | None, settings: Settings, options: Options, keeper: Keeper) -> int:
    data = b"" if stdin is None else sys.stdin.buffer.read()
    force = options.force_exclude
    if stdin is None:
        # The processes are started before the files are read, so that they do not inherit the memory for the texts.
        files = read(paths, settings, force_exclude=force, found=lambda found: begin(found, settings))
    else:
        files = Read(((stdin, data),))
    for problem in files.problems:
        _say(f"error: {shown(problem.path)}: {problem.message}")
    if not (any(files) or options.quiet or force):
        _say("note: no Python files found under the given paths")
    failed = bool(files.problems)
    changes = False
    if not (options.add_ignore or options.diff or options.fix):
        # Most runs end before garbage collection would be useful: it would traverse a million nodes of trees.
        cached = stdin is None and options.cache
        settings = replace(_printed(settings), shown_only=not cached)
        with without_collection():
            report = _check(files, paths, settings, options, keeper, cached=cached)
            _report(report, settings, options)
            return _status(report, settings, options, failed=failed)
    loaded = decode(files)
    context = () if options.within is None else decode(read_around(files, options.within, settings)).sources
    if options.add_ignore:
        from tslint.cli.add_ignore import add_ignores

        report, changes, unwritten = add_ignores(
            loaded, settings, keeper, show=options.diff, quiet=options.quiet, context=context
        )
        failed = failed or unwritten
        if not options.diff:
            _report(report, settings, options)
    elif options.diff:
        report, changes = _diff(loaded, context, _printed(settings), options, keeper)
    else:
        report, fixed, unwritten = _fix(loaded, context, _printed(settings), options, keeper, in_place=stdin is None)
        failed = failed or unwritten
        if stdin is not None:
            # If the input cannot be decoded, its bytes are printed unchanged: an editor would replace its text by
            # nothing.
            after = report.sources.get(str(stdin))
            emit_bytes(after.encode() if after else data)
        _report(report, settings, options, fixed=fixed, to_stderr=stdin is not None)
    return _status(report, settings, options, failed=failed, changes=changes)


def _printed(settings: Settings) -> Settings:
    """Return the settings for a run: the fixes in its report get their edits if the output format prints them."""
    return replace(settings, edits=settings.output_format in WITH_EDITS)


def _check(
    files: Read, paths: Sequence[Path], settings: Settings, options: Options, keeper: Keeper, *, cached: bool
) -> Report:
    """Return the report, with findings from the cache if possible."""
    from tslint.lint.cache.cached import Cache, check

    cache = Cache.open(settings, paths, within=options.within) if cached else None
    context = None if options.within is None else read_around(files, options.within, settings)
    with _progress("Checking", len(files.files) + len(files.unreadable), options):
        report, loaded = check(files, settings, cache, context)
    return report if keeper.baseline is None else keeper.hold(report, loaded or decode(files))


def _status(report: Report, settings: Settings, options: Options, *, failed: bool, changes: bool = False) -> int:
    if failed:
        return 2
    if options.exit_zero:
        return 0
    lowest = Severity(settings.fail_on or "error").rank
    return int(changes or any(each.severity.rank >= lowest for each in report.diagnostics))


def _progress(label: str, number: int, options: Options) -> Progress:
    # Fixing checks the files several times; the number of rounds is not known beforehand.
    files = 0 if options.fix or options.diff else number
    return Progress(sys.stderr, f"{label} {count(number, 'file')}", files, quiet=options.quiet)


def _say(line: str) -> None:
    click.echo(line, err=True)


def _diff(
    loaded: Loaded, context: Sequence[SourceFile], settings: Settings, options: Options, keeper: Keeper
) -> tuple[Report, bool]:
    from tslint.fixing.diff import diff
    from tslint.fixing.rounds import fix
    from tslint.lint.incremental import Judge

    judge = Judge(settings, context)
    with _progress("Checking", len(loaded.sources), options):
        before = judge(loaded)
        outcome = fix(loaded, judge, unsafe=settings.unsafe_fixes)
    report = keeper.hold(outcome.report, loaded, before)
    _deliver("".join(diff(old, new, shown(old.path)) for old, new in outcome.changed), options)
    for note in () if options.quiet else outcome.notes:
        _say(f"note: {note}")
    fixed = outcome.fixed
    if fixed and not options.quiet:
        _say(f"Would fix {count(sum(fixed.values()), 'finding')} in {count(len(outcome.changed), 'file')}.")
    if report.diagnostics and not options.quiet:
        _say(f"{count(len(report.diagnostics), 'finding')} would be left.")
    return report, bool(outcome.changed)


@without_collection()
def _fix(
    loaded: Loaded, context: Sequence[SourceFile], settings: Settings, options: Options, keeper: Keeper, *,
    in_place: bool,
) -> tuple[Report, int, bool]:  # fmt: skip
    """Apply fixes and write the files.

    Returns:
        The report on what is on disk then, how many findings were fixed, and whether a file could not be written.
    """
    from tslint.fixing.rounds import fix
    from tslint.fixing.write import NotWritten, write
    from tslint.lint.incremental import Judge

    judges = Judge(settings, context)
    with _progress("Fixing", len(loaded.sources), options):
        found = judges(loaded)
        outcome = fix(loaded, judges, unsafe=settings.unsafe_fixes)
    for note in () if options.quiet else outcome.notes:
        _say(f"note: {note}")
    fixed = sum(outcome.fixed.values())
    kept: set[Path] = set()
    for before, after in outcome.changed if in_place else ():
        try:
            write(before, after)
        except NotWritten as error:
            _say(f"error: {shown(before.path)}: {error}")
            kept.add(before.path)
            fixed -= outcome.fixed[str(before.path)]
    if not kept:
        return keeper.hold(outcome.report, loaded, found), fixed, False
    new = outcome.report.sources
    sources = tuple(each if each.path in kept else new[str(each.path)] for each in loaded.sources)
    loaded = replace(loaded, sources=sources)
    return keeper.hold(judge(loaded, settings, context), loaded, found), fixed, True


def _report(report: Report, settings: Settings, options: Options, *, fixed: int = 0, to_stderr: bool = False) -> None:
    """Render and print a report; it goes to stderr if stdout contains the fixed source."""
    stream = sys.stderr if to_stderr else sys.stdout
    color = options.color == "always" if options.output_file else wants_color(options.color, stream)
    output_format = settings.output_format or "full"
    waits, safe_may_wait = _waiting(report, settings) if output_format in _WITH_SUMMARY else ({}, False)
    view = View(
        color=color,
        unsafe=settings.unsafe_fixes,
        fixed=fixed,
        fixing=options.fix,
        waiting=waits,
        safe_may_wait=safe_may_wait,
        quiet=options.quiet,
        fail_on=Severity(settings.fail_on or "error"),
    )
    if options.statistics:
        from tslint.reporters import statistics

        text = statistics.render(output_format, report, view)
    else:
        text = render(output_format, report, view)
    _deliver(text, options, to_stderr=to_stderr)


def _waiting(report: Report, settings: Settings) -> tuple[Mapping[int, str], bool]:
    """Return what fixes wait for, and whether safe ones may wait, too; see :class:`View`."""
    if all(each.fix is None for each in report.diagnostics):
        return {}, False  # clean code needs no import
    from tslint.fixing.waiting import waiting

    return waiting(report, unsafe=settings.unsafe_fixes)


def _deliver(text: str, options: Options, *, to_stderr: bool = False) -> None:
    if options.output_file:
        emit_file(text, options.output_file)
    else:
        emit(text, sys.stderr if to_stderr else sys.stdout)
