"""The command line: one file per command, which is imported when the command is used."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NoReturn

import click

from tslint.util.suggest import did_you_mean
from tslint.util.version import __version__

COMMANDS = {
    "check": "tslint.cli.check:command",
    "rule": "tslint.cli.rule:command",
    "explain": "tslint.cli.explain:command",
    "scope": "tslint.cli.scope:command",
    "verify": "tslint.cli.verify:command",
    "annotate": "tslint.cli.annotate:command",
    "gate": "tslint.cli.gate:command",
    "init": "tslint.cli.init:command",
    "server": "tslint.cli.server:command",
    "completion": "tslint.cli.completion:command",
}
ISSUES = "the project's issue tracker"


class Failure(click.ClickException):
    """An error that the user has to correct before the run is possible; the message is one line."""

    exit_code = 2


class CommandLine(click.Group):
    """The group of all commands: imports them on demand and prints every error as one line on stderr."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order in which they are used."""
        return [name for name, place in COMMANDS.items() if find_spec(place.partition(":")[0])]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first argument names.

        Raises:
            Failure: there is no such command.
        """
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            known = self.list_commands(ctx)
            hint = did_you_mean(name, known) or f"; commands are {', '.join(known)}"
            if os.path.exists(name):
                hint = f"; did you mean `tslint check {name}`?"
            raise Failure(f"no such command: {name!r}{hint}")
        return super().resolve_command(ctx, args)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and exit with its status: 2 for an error that the user has to correct first."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, **extra)
        try:
            status = super().main(args, prog_name, complete_var, False, **extra)
            sys.stdout.flush()
        except click.ClickException as error:
            _leave(_sentence(error))
        except (click.Abort, KeyboardInterrupt):
            click.echo("interrupted", err=True)
            sys.exit(130)
        except BrokenPipeError:
            silence_stdout()
            sys.exit(1)
        except Exception as error:
            if os.environ.get("TSLINT_DEBUG") == "1":
                raise
            words = " ".join(str(error).split())
            _leave(
                f"tslint itself failed: {type(error).__name__}: {words}; please report it to {ISSUES}"
                " with the traceback that TSLINT_DEBUG=1 shows"
            )
        sys.exit(status if isinstance(status, int) else 0)


def _leave(message: str) -> NoReturn:
    click.echo(f"error: {message}", err=True)
    sys.exit(2)


def _sentence(error: click.ClickException) -> str:
    """Return an error of click on one line, with the command that prints help."""
    message = " ".join(error.format_message().split())
    if isinstance(error, click.UsageError) and error.ctx is not None:
        message = f"{message.rstrip('.')} (see `{error.ctx.command_path} --help`)"
    return message


def silence_stdout() -> None:
    """Discard the rest of the output: the reader of the pipe has closed it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(
    cls=CommandLine,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with `tslint check .`",
)
@click.version_option(__version__, message="tslint %(version)s")
@click.pass_context
def cli(ctx: click.Context, /) -> None:
    """Find what TorchScript will reject or get wrong, before you export a model.

    `verify` and `annotate` run your code; so does `gate`, if targets are configured. The other commands only read it.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        ctx.exit(2)


def main() -> None:
    """The entry point ``tslint``."""
    # Most objects (modules, trees, types) are kept until the end, so frequent garbage collection would be useless.
    gc.set_threshold(50_000, 20, 20)
    try:
        cli(prog_name="tslint")
    finally:
        # The process ends, and its memory is freed: Python need not search it for garbage first.
        gc.freeze()
