"""``tslint check --add-ignore``: suppresses findings line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from tslint.cli.baselining import Keeper
from tslint.cli.output import emit
from tslint.config import Settings, shown
from tslint.diagnostics import Diagnostic
from tslint.fixing.add_ignore import Added
from tslint.fixing.add_ignore import add_ignores as add
from tslint.fixing.write import NotWritten, write
from tslint.lint.engine import Loaded, Report
from tslint.lint.incremental import Judge
from tslint.reporters.view import count
from tslint.sources.file import SourceFile


def add_ignores(
    loaded: Loaded, settings: Settings, keeper: Keeper, *, show: bool, quiet: bool = False,
    context: Sequence[SourceFile] = (),
) -> tuple[Report, bool, bool]:  # fmt: skip
    """Add suppressions for findings that no baseline covers.

    Args:
        loaded: the files.
        settings: the settings of the run.
        keeper: the keeper of the baseline.
        show: whether to print a diff and write nothing.
        quiet: whether to print nothing else.
        context: other files of the project.

    Returns:
        The remaining findings, whether something would be written, and whether a file could not be written.
    """
    judge = Judge(settings, context)
    report = keeper.hold(judge(loaded), loaded)
    by_file: dict[str, list[Diagnostic]] = {}
    for each in report.diagnostics:
        by_file.setdefault(each.filename, []).append(each)
    sources = {str(source.path): source for source in loaded.sources}
    results: dict[str, Added] = {name: add(sources[name], found) for name, found in by_file.items() if name in sources}
    changed = {name: added for name, added in results.items() if added.source.text != sources[name].text}
    unwritten = False
    for name, added in list(changed.items()):
        if show:
            from tslint.fixing.diff import diff

            emit(diff(sources[name], added.source, shown(Path(name))))
            continue
        try:
            write(sources[name], added.source)
        except NotWritten as error:
            _say(f"error: {shown(Path(name))}: {error}".replace("not fixed", "no suppressions added", 1))
            unwritten = True
            del changed[name]
    for name, added in results.items():
        for each, reason in () if quiet else added.left:
            _say(f"note: {shown(Path(name))}:{each.start.row}: {each.code} not suppressed: {reason}")
    number = sum(len(added.placed) for added in changed.values())
    if number and not quiet:
        verb = "Would suppress" if show else "Suppressed"
        _say(f"{verb} {count(number, 'finding')} in {count(len(changed), 'file')}.")
    if changed:
        new = tuple(changed[str(each.path)].source if str(each.path) in changed else each for each in loaded.sources)
        report = replace(keeper, silent=True).hold(judge(replace(loaded, sources=new)), loaded)
    return report, bool(changed) and show, unwritten


def _say(line: str) -> None:
    click.echo(line, err=True)
