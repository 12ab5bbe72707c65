"""``tslint annotate``: runs a model once and writes its types as annotations."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tslint.cli import Failure
from tslint.cli.output import emit
from tslint.cli.verify import INPUTS, TIMEOUT, configured_targets, request_of
from tslint.config import Settings, shown
from tslint.diagnostics import Position
from tslint.reporters.view import count
from tslint.sources import reading
from tslint.sources.file import UnreadableSource
from tslint.verify.request import Request
from tslint.verify.stage_names import OBSERVE

if TYPE_CHECKING:
    from tslint.annotate.propose import Proposals
    from tslint.annotate.runner import Observed


@click.command("annotate", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@INPUTS
@click.option("--write", is_flag=True, help="Write the annotations into the files.")
@click.option("--diff", "as_diff", is_flag=True, help="Show what would be written, and why.")
@TIMEOUT
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Use this configuration file.")
@click.option("--isolated", is_flag=True, help="Use no configuration file.")
@click.pass_context
def command(
    ctx: click.Context, /, targets: tuple[str, ...], inputs: tuple[str, ...], write: bool, as_diff: bool,
    timeout: float | None, config: Path | None, isolated: bool,
) -> None:  # fmt: skip
    """Run each TARGET once, and find the annotations that it needs.

    TARGET is the same as for `tslint verify`; the types of several targets are merged. Your code is not compiled, so
    this works on modules that TorchScript rejects. If a module of torch needs a float and gets an int
    (`nn.Dropout(config.rate)`), tslint also adds a conversion. Without --write or --diff, a table shows what would be
    added. Existing annotations stay; if the run contradicts one, tslint reports it. Exit status: 0 nothing to add (or
    all written) and nothing contradicted, 1 something to add or contradicted, 2 a target did not run or a file could
    not be written.
    """
    if config is not None and isolated:
        raise click.UsageError("--config and --isolated cannot be used together", ctx)
    if write and as_diff:
        raise click.UsageError("--write and --diff cannot be used together", ctx)
    settings, named = configured_targets(ctx, targets, config, isolated=isolated)
    requests = [request_of(name, settings, inputs=inputs, timeout=timeout) for name in named]
    observed = _observe([replace(request, pipeline=OBSERVE) for request in requests])
    for problem in observed.problems:
        _say(f"error: {problem}")
    ctx.exit(_report(observed, settings, write=write, as_diff=as_diff))


def _observe(requests: list[Request]) -> Observed:
    from tslint.annotate.runner import TorchMissing, observe

    try:
        return observe(requests)
    except TorchMissing as error:
        raise Failure(str(error)) from error


def _report(observed: Observed, settings: Settings, *, write: bool, as_diff: bool) -> int:
    """Show or write the proposed annotations of each file.

    Returns:
        The exit status.
    """
    from tslint.annotate.harm import leave_out_harm
    from tslint.annotate.writing import NotAnnotated, annotated
    from tslint.fixing.diff import diff
    from tslint.fixing.write import NotWritten
    from tslint.fixing.write import write as write_file

    every, failed = _proposals(observed)
    leave_out_harm(every, settings)
    added, converted, files, contradicted = 0, 0, 0, 0
    for found in every:
        path = found.source.path
        try:
            after = annotated(found)
            if write and found.proposals:
                write_file(found.source, after)
        except (NotWritten, NotAnnotated) as error:
            _fail(path, error)
            failed = True
            continue
        conversions = sum(each.slot == "argument" for each in found.proposals)
        added += len(found.proposals) - conversions
        converted += conversions
        files += bool(found.proposals)
        contradicted += len(found.contradictions)
        if not write:
            emit(_table(found))
        if as_diff:
            emit(diff(found.source, after, shown(path)))
        _print_remarks(found)
    parts = [*([count(added, "annotation")] if added else []), *([count(converted, "conversion")] if converted else [])]
    what = f"{' and '.join(parts)} in {count(files, 'file')}"
    if parts:
        _say(f"Added {what}." if write else f"Would add {what}; --write adds them.")
    elif not failed:
        _say("Nothing to annotate.")
    if contradicted:
        _say(f"{count(contradicted, 'annotation')} contradicted.")
    if failed:
        return 2
    return int(bool(contradicted) or (bool(parts) and not write))


def _print_remarks(found: Proposals) -> None:
    path = found.source.path
    for remark in found.contradictions:
        emit(f"{_place(path, remark.place)}: {remark.message}\n")
    for remark in found.left_out:
        _say(f"note: {_place(path, remark.place)}: not added: {remark.message}")
    if found.asked:
        names = ", ".join(found.asked)
        _say(f"note: {shown(path)}: only None was seen for {names}; pass a second --inputs with a value")


def _proposals(observed: Observed) -> tuple[list[Proposals], bool]:
    """Return the proposals for each recorded file, and whether any file failed."""
    from tslint.annotate.propose import propose
    from tslint.fixing.write import NotWritten

    found, failed = [], bool(observed.problems)
    for name, seen in sorted(observed.files.items()):
        path = Path(name)
        try:
            source = reading.read(path)
            if hashlib.sha256(source.encode()).hexdigest() != seen.digest:
                raise NotWritten("not annotated: the file has changed; run tslint again")
            found.append(propose(source, seen))
        except (UnreadableSource, NotWritten, SyntaxError) as error:
            _fail(path, error)
            failed = True
    return found, failed


def _fail(path: Path, error: Exception) -> None:
    _say(f"error: {shown(path)}: {str(error).replace('not fixed', 'not annotated')}")


def _table(found: Proposals) -> str:
    """Return a line for each annotation; it is also printed above a diff, where patch programs ignore it."""
    path = found.source.path
    rows = [(_place(path, each.place), each.what, str(each.type), each.evidence) for each in found.proposals]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    lines = ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]) for row in rows]
    return "".join(f"{line}\n" for line in lines)


def _place(path: Path, place: Position) -> str:
    return f"{shown(path)}:{place.row}:{place.column}"


def _say(line: str) -> None:
    click.echo(line, err=True)
