"""``tslint check``: find what TorchScript will reject or get wrong, and fix it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from tslint.cli import Failure
from tslint.cli.completion import complete_rules
from tslint.config import OUTPUT_FORMATS, SEVERITIES, ConfigError, Settings, load_settings
from tslint.util.suggest import did_you_mean
from tslint.util.version import __version__

STDIN = "-"
# Formats that have no place for the number of findings.
_UNCOUNTED = ("github", "gitlab", "sarif", "junit")


def _rules(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Parse codes, prefixes or names: several options, or separated by commas."""
    return tuple(rule.strip() for each in value for rule in each.split(",") if rule.strip())


def _file_rules(
    ctx: click.Context, param: click.Parameter, value: tuple[str, ...]
) -> dict[str, tuple[str, ...]] | None:
    """Parse ``tests/*:TS7,net.py:TS810``: patterns, each with a rule; several options, or separated by commas."""
    found: dict[str, tuple[str, ...]] = {}
    for pair in _rules(ctx, param, value):
        pattern, _, rule = pair.rpartition(":")
        if not (pattern and rule):
            raise click.BadParameter(f"{pair!r} is not a pattern and a rule, as in tests/*:TS7", ctx, param)
        found[pattern] = (*found.get(pattern, ()), rule)
    return found or None


_RULES: dict[str, Any] = {
    "multiple": True, "callback": _rules, "shell_complete": complete_rules, "metavar": "RULES",
}  # fmt: skip


@click.command("check", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--fix", is_flag=True, help="Apply safe fixes.")
@click.option(
    "--unsafe-fixes/--no-unsafe-fixes",
    default=None,
    help="With --fix or --diff: also apply unsafe fixes, after which compiled code may raise or differ.",
)
@click.option("--diff", is_flag=True, help="Show what --fix would change; change nothing.")
@click.option("--select", **_RULES, help="Use only these rules: codes, prefixes or names.")
@click.option("--extend-select", **_RULES, help="Add these rules to the selected ones.")
@click.option("--ignore", **_RULES, help="Ignore these rules: codes, prefixes or names.")
@click.option(
    "--per-file-ignores",
    multiple=True,
    callback=_file_rules,
    metavar="PATTERN:RULE",
    help="Ignore RULE in files that match PATTERN; separate several with commas. Replaces the configured pairs.",
)
@click.option("--fixable", **_RULES, help="Fix only these rules.")
@click.option("--unfixable", **_RULES, help="Do not fix these rules.")
@click.option("--output-format", type=click.Choice(OUTPUT_FORMATS), help="Default: full.")
@click.option("-o", "--output-file", type=click.Path(path_type=Path), metavar="FILE", help="Write the report to FILE.")
@click.option("-q", "--quiet", is_flag=True, help="Print only the findings.")
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of showing them.")
@click.option(
    "--baseline",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Report only findings that are not in FILE.",
)
@click.option("--write-baseline", is_flag=True, help="Write all findings into the baseline.")
@click.option("--add-ignore", is_flag=True, help="Suppress all findings with comments at the ends of their lines.")
@click.option("--show-files", is_flag=True, help="List the files that would be checked; check nothing.")
@click.option("--show-settings", is_flag=True, help="Show the settings of this run; check nothing.")
@click.option(
    "--within", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="FOLDER",
    help="The project's folder: report only on PATHS, but also read the code in FOLDER that calls them.",
)  # fmt: skip
@click.option("--force-exclude", is_flag=True, help="Leave out excluded files even if PATHS names them.")
@click.option(
    "--stdin-filename", type=click.Path(path_type=Path), metavar="FILE", help="File name to use for the standard input."
)
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Use this configuration file.")
@click.option("--isolated", is_flag=True, help="Use no configuration file.")
@click.option(
    "--target", metavar="NAME",
    help="Check the modules of this target as `tslint verify NAME` last built them, not every way to create them.",
)  # fmt: skip
@click.option(
    "--python", type=click.Path(path_type=Path), metavar="PATH",
    help="Interpreter or environment with the packages that the code imports; tslint reads them, and never runs them.",
)  # fmt: skip
@click.option("--watch", is_flag=True, help="Report again whenever a file changes, until Ctrl-C.")
@click.option("--no-cache", is_flag=True, help="Do not use the cache.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Number of processes.")
@click.option("--fail-on", type=click.Choice(SEVERITIES), help="Lowest severity that fails the run. Default: error.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Default: auto.")
@click.version_option(__version__, message="tslint %(version)s")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[Path, ...],
    show_files: bool,
    show_settings: bool,
    stdin_filename: Path | None,
    watch: bool,
    no_cache: bool,
    **options: Any,
) -> None:
    """Find what TorchScript will reject or get wrong in PATHS.

    PATHS are files and folders (default: the working folder); `-` is the standard input. Exit status: 0 nothing found
    at or above --fail-on, 1 findings, 2 wrong options or settings, or a path that does not exist (the
    other paths are checked).
    """
    overrides = _Overrides(**{name: options.pop(name) for name in _Overrides._fields})
    stdin = _reads_stdin(ctx, paths, stdin_filename)
    _exclusive(ctx, stdin, overrides, show_files=show_files, show_settings=show_settings, **options)
    paths = paths or (Path(),)
    try:
        if watch:
            _watchable(ctx, stdin, show_files=show_files, show_settings=show_settings, **options)
            from tslint.cli.run import Options, run
            from tslint.cli.watch import watch as watching

            def once() -> Settings:
                settings = overrides.settings(paths)
                run(paths, None, settings, Options(**options, cache=not no_cache))
                return settings

            ctx.exit(watching(once, paths))
        settings = overrides.settings([stdin] if stdin else paths)
        if options["write_baseline"] and settings.baseline is None:
            raise click.UsageError("--write-baseline needs a file: add --baseline tslint-baseline.json", ctx)
        if show_files or show_settings:
            from tslint.cli.show import show

            ctx.exit(show([stdin] if stdin else paths, settings, files=show_files, text=stdin is not None))
        # Imported here: reading the options, and reporting errors in them, requires neither rules nor libcst.
        from tslint.cli.run import Options, run

        status = run(paths, stdin, settings, Options(**options, cache=not no_cache))
    except ConfigError as error:
        raise Failure(str(error)) from error
    if settings.source is None and not (overrides.isolated or stdin or options["quiet"]) and sys.stderr.isatty():
        click.echo("note: there is no configuration; `tslint init` writes one for the project", err=True)
    ctx.exit(status)


class _Overrides(NamedTuple):
    """The settings that options replace or extend."""

    select: tuple[str, ...]
    extend_select: tuple[str, ...]
    ignore: tuple[str, ...]
    per_file_ignores: dict[str, tuple[str, ...]] | None
    fixable: tuple[str, ...]
    unfixable: tuple[str, ...]
    unsafe_fixes: bool | None
    output_format: str | None
    baseline: Path | None
    config: Path | None
    isolated: bool
    jobs: int | None
    fail_on: str | None
    python: Path | None
    target: str | None

    def settings(self, paths: Sequence[Path]) -> Settings:
        """Return the settings from files and options; ``--watch`` calls it again for each run.

        Raises:
            ConfigError: the settings are invalid.
        """
        settings = load_settings(paths, config=self.config, isolated=self.isolated)
        settings = _override(settings, self.select, self.extend_select, self.ignore)
        settings = replace(
            settings,
            per_file_ignores=self.per_file_ignores or settings.per_file_ignores,
            fixable=self.fixable or settings.fixable,
            unfixable=(*settings.unfixable, *self.unfixable),
            unsafe_fixes=settings.unsafe_fixes if self.unsafe_fixes is None else self.unsafe_fixes,
            output_format=self.output_format or settings.output_format,
            fail_on=self.fail_on or settings.fail_on,
            jobs=self.jobs or settings.jobs,
            baseline=Path(os.path.abspath(self.baseline)) if self.baseline else settings.baseline,
            python=Path(os.path.abspath(self.python)) if self.python else settings.python,
        )
        _ = settings.environment  # report an environment that cannot be used before anything is read
        return settings if self.target is None else _built(settings, self.target)


def _built(settings: Settings, name: str) -> Settings:
    """Return the settings with the facts of a target; if the facts are not up to date, print a note and return the
    settings unchanged.

    Raises:
        ConfigError: the target is not configured.
    """
    from tslint.lint.target_facts import fresh

    if name not in settings.targets:
        known = list(settings.targets)
        hint = did_you_mean(name, known) or (f"; configured targets are {', '.join(known)}" if known else "")
        raise ConfigError(f"--target: there is no target {name}{hint}")
    facts = fresh(settings, name)
    if facts is None:
        way = f"`tslint verify {name} --facts-only` collects them"
        click.echo(f"note: no valid facts of {name}, so all constructions are checked; {way}", err=True)
        return settings
    return replace(settings, built=(facts,))


def _watchable(ctx: click.Context, stdin: Path | None, **options: Any) -> None:
    """Reject ``--watch`` with options that only make sense for a single run.

    Raises:
        UsageError: such an option is used.
    """
    if stdin is not None:
        raise click.UsageError("--watch needs files: it cannot be used with the standard input", ctx)
    for name in ("fix", "diff", *_WRITING, "show_files", "show_settings"):
        if options[name]:
            raise click.UsageError(f"--watch and --{name.replace('_', '-')} cannot be used together", ctx)


_WRITING = ("add_ignore", "write_baseline")


def _exclusive(ctx: click.Context, stdin: Path | None, overrides: _Overrides, **options: Any) -> None:
    """Reject options that contradict each other.

    Raises:
        UsageError: two options do.
    """

    def option(name: str) -> str:
        return "--" + name.replace("_", "-")

    if overrides.config is not None and overrides.isolated:
        raise click.UsageError("--config and --isolated cannot be used together", ctx)
    if options["fix"] and options["diff"]:
        raise click.UsageError("--fix and --diff cannot be used together: one writes, the other only shows", ctx)
    if options["statistics"] and overrides.output_format in _UNCOUNTED:
        raise click.UsageError(f"--statistics has no {overrides.output_format} form: use full, json or json-lines", ctx)
    given = [name for name in ("fix", *_WRITING, "show_files", "show_settings") if options[name]]
    if len(given) > 1 and given != ["fix", "write_baseline"]:
        raise click.UsageError(f"{option(given[0])} and {option(given[1])} cannot be used together", ctx)
    if options["write_baseline"] and options["diff"]:
        raise click.UsageError(
            "--write-baseline and --diff cannot be used together: one writes, the other only shows", ctx
        )
    for name in _WRITING:
        if options[name] and stdin is not None:
            raise click.UsageError(f"{option(name)} needs files: it cannot be used with the standard input", ctx)


def _reads_stdin(ctx: click.Context, paths: Sequence[Path], stdin_filename: Path | None) -> Path | None:
    """Return the file name for the text on standard input; None if standard input is not read."""
    if Path(STDIN) not in paths and (paths or stdin_filename is None):
        if stdin_filename is not None:
            raise click.UsageError("--stdin-filename names the standard input: pass `-` as the path", ctx)
        return None
    if len(paths) > 1:
        raise click.UsageError("`-` must be the only path", ctx)
    return Path(os.path.abspath(stdin_filename or "<stdin>"))


def _override(
    settings: Settings, select: Sequence[str], extend_select: Sequence[str], ignore: Sequence[str]
) -> Settings:
    """Apply ``--select``, which replaces the configured selection, and ``--extend-select`` and ``--ignore``, which add
    to it.

    A code that is selected here is not ignored by the same code in the configuration.
    """
    from tslint.lint.selection import resolve, resolve_all

    selected = resolve_all(select, "--select")
    extended = resolve_all(extend_select, "--extend-select")
    ignored = resolve_all(ignore, "--ignore")
    if selected or extended:
        kept = tuple(rule for rule in settings.ignore if resolve(rule) not in (*selected, *extended))
        more = (*(() if selected else settings.extend_select), *extended)
        settings = replace(settings, select=selected or settings.select, extend_select=more, ignore=kept)
    return replace(settings, ignore=(*settings.ignore, *ignored))
