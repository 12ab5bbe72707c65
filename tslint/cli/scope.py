"""``tslint scope``: what the compiler would compile, and why; with ``--types``, the types that it would infer."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from tslint.cli import Failure
from tslint.config import ConfigError, Settings, load_settings, shown


@click.command("scope", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option("--types", is_flag=True, help="Show the types that TorchScript would infer, line by line.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="Default: text.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Use this configuration file.")
@click.option("--isolated", is_flag=True, help="Use no configuration file.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[Path, ...],
    types: bool,
    output_format: str,
    config: Path | None,
    isolated: bool,
) -> None:
    """Show which code of PATH would be compiled, and why.

    PATH is a file or a folder (default: the working folder). The compiler starts at roots, such as the `forward` of
    a module. Below each root are the functions that it calls, with the line of the call, and the code that the
    compiler skips. Exit status: 0, or 2 if a file could not be read.
    """
    if config is not None and isolated:
        raise click.UsageError("--config and --isolated cannot be used together", ctx)
    paths = paths or (Path(),)
    try:
        settings = load_settings(paths, config=config, isolated=isolated)
        text, failed = _report(paths, settings, types=types, as_json=output_format == "json")
    except ConfigError as error:
        raise Failure(str(error)) from error
    from tslint.cli.output import emit

    emit(text)
    ctx.exit(2 if failed else 0)


def _report(paths: Sequence[Path], settings: Settings, *, types: bool, as_json: bool) -> tuple[str, bool]:
    """Return the text for stdout, and whether something could not be analysed.

    Raises:
        ConfigError: an entry point does not exist.
    """
    from tslint.lint.engine import load

    loaded = load(paths, settings)
    for problem in loaded.problems:
        _say(f"error: {shown(problem.path)}: {problem.message}")
    for unreadable in loaded.unreadable:
        _say(f"error: {shown(Path(unreadable.filename))}: {unreadable.message}")
    failed = bool(loaded.problems or loaded.unreadable)
    from tslint.lint.analysis import modelled

    model, recording, modules, troubles = modelled(loaded.sources, settings)
    for trouble in troubles:
        _say(f"error: {shown(Path(trouble.filename))}:{trouble.start.row}: {trouble.message}")
    from tslint.reporters import scope

    if types:
        from tslint.lint.scope_types import inferred_types

        found = inferred_types(model, recording, {module.source.path for module in modules})
        text = scope.types_json(found) if as_json else scope.render_types(found, shown)
        nothing = not found
    else:
        from tslint.lint.scope_report import scope_tree

        tree = scope_tree(model, recording, modules)
        nothing = not any(tree.values())
        if len(tree) > 1:
            # In a folder, files that contain no modules are not listed.
            tree = {path: entries for path, entries in tree.items() if entries}
        text = scope.tree_json(tree) if as_json else scope.render_tree(tree, shown, unicode=_shows_lines())
    if nothing and not as_json and not failed and not troubles and not text:
        _say("note: nothing under the given paths is compiled: no nn.Module, nothing passed to torch.jit.script")
    return text, failed or bool(troubles)


def _say(line: str) -> None:
    click.echo(line, err=True)


def _shows_lines() -> bool:
    """Return whether stdout can show the characters of the tree."""
    try:
        "├─│└".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
