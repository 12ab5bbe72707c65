"""``tslint server``: the language server on standard input and output."""

from __future__ import annotations

import logging
import os
import sys

import click

from tslint.cli import Failure
from tslint.util import installed


@click.command("server", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--stdio", is_flag=True, help="Use standard input and output. This is the only transport.")
def command(stdio: bool) -> None:
    """Show findings, fixes, types and call paths in an editor.

    Editors start this command themselves. It speaks the Language Server Protocol, and never imports your code.
    """
    try:
        from tslint.server.server import Server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise
        raise Failure(f"the language server needs pygls: {installed.command('server')}") from error
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR, format="%(levelname)s %(name)s: %(message)s")
    if sys.stdin.isatty():
        click.echo("note: tslint server waits for an editor; stop it with Ctrl-D", err=True)
    # Anything that is printed goes to the log, because standard output is only for messages of the protocol.
    stdout = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    Server().serve(sys.stdin.buffer, stdout)
