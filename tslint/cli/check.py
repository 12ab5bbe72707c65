"""``tslint check``: find what TorchScript will reject or get wrong, and mend it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from tslint import __version__
from tslint.cli import Failure
from tslint.config import OUTPUT_FORMATS, SEVERITIES, ConfigError, Settings, load_settings

STDIN = "-"


def _rules(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Codes, prefixes or names: several options, or commas between them."""
    return tuple(rule.strip() for each in value for rule in each.split(",") if rule.strip())


@click.command("check", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--fix", is_flag=True, help="Apply safe fixes.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also fixes that may change behaviour.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--select", multiple=True, callback=_rules, metavar="RULES", help="Only these codes, prefixes or names.")
@click.option("--ignore", multiple=True, callback=_rules, metavar="RULES", help="Not these codes, prefixes or names.")
@click.option("--output-format", type=click.Choice(OUTPUT_FORMATS), help="Default: full.")
@click.option("-o", "--output-file", type=click.Path(path_type=Path), metavar="FILE", help="Write the report there.")
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of showing them.")
@click.option("--stdin-filename", type=click.Path(path_type=Path), metavar="FILE", help="Name for the text of `-`.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Use this configuration file.")
@click.option("--isolated", is_flag=True, help="Use no configuration file.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="How many processes to use.")
@click.option("--fail-on", type=click.Choice(SEVERITIES), help="Lowest severity that fails the run. Default: error.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Default: auto.")
@click.version_option(__version__, message="tslint %(version)s")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[Path, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    output_format: str | None,
    stdin_filename: Path | None,
    config: Path | None,
    isolated: bool,
    no_cache: bool,
    jobs: int | None,
    fail_on: str | None,
    **options: Any,
) -> None:
    """Find what TorchScript will reject or get wrong in PATHS (default: the working folder).

    PATHS are files and folders; `-` is the standard input. Exit status: 0 nothing found at or above --fail-on, 1
    findings, 2 the run could not be done as asked.
    """
    if config is not None and isolated:
        raise click.UsageError("--config and --isolated exclude each other", ctx)
    if options["fix"] and options["diff"]:
        raise click.UsageError("--fix and --diff exclude each other: one writes, the other only shows", ctx)
    stdin = _reads_stdin(ctx, paths, stdin_filename)
    paths = paths or (Path(),)
    try:
        settings = load_settings([stdin] if stdin else paths, config=config, isolated=isolated)
        settings = _override(settings, select, ignore)
        settings = replace(
            settings,
            output_format=output_format or settings.output_format,
            fail_on=fail_on or settings.fail_on,
            jobs=jobs or settings.jobs,
        )
        # Late: reading the options and their errors needs neither rules nor libcst.
        from tslint.cli.run import Options, run

        ctx.exit(run(paths, stdin, settings, Options(**options)))
    except ConfigError as error:
        raise Failure(str(error)) from error


def _reads_stdin(ctx: click.Context, paths: Sequence[Path], stdin_filename: Path | None) -> Path | None:
    """What the standard input is called, if it is read."""
    if Path(STDIN) not in paths and (paths or stdin_filename is None):
        if stdin_filename is not None:
            raise click.UsageError("--stdin-filename names the text of the standard input: give `-` as path", ctx)
        return None
    if len(paths) > 1:
        raise click.UsageError("`-` is the only path where the standard input is checked", ctx)
    return Path(os.path.abspath(stdin_filename or "<stdin>"))


def _override(settings: Settings, select: Sequence[str], ignore: Sequence[str]) -> Settings:
    """``--select`` takes the place of the configured one, ``--ignore`` adds; what is selected here by the very code
    that is ignored there is selected."""
    from tslint.selection import resolve, resolve_all

    selected = resolve_all(select, "--select")
    ignored = resolve_all(ignore, "--ignore")
    if selected:
        kept = tuple(rule for rule in settings.ignore if resolve(rule) not in selected)
        settings = replace(settings, select=selected, ignore=kept)
    return replace(settings, ignore=(*settings.ignore, *ignored))
