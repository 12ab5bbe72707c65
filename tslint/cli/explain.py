"""``tslint explain``: finds the rules for the compiler's messages in a log."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, TextIO

import click

from tslint.cli import Failure

if TYPE_CHECKING:
    from tslint.rulekit.registry import RegisteredRule


@click.command("explain", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("log", default="-", type=click.File(encoding="utf-8", errors="replace"))
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="Default: text.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Default: auto.")
@click.pass_context
def command(ctx: click.Context, /, log: TextIO, output_format: str, color: str) -> None:
    """Find the rules for the error messages of torch.jit in LOG.

    LOG is a traceback, or the whole output of a run (default: the standard input). Exit status: 0 at least one message
    is explained, 1 none is.
    """
    from tslint.cli.output import emit, wants_color
    from tslint.rulekit.messages import explained

    if log is sys.stdin and sys.stdin.isatty():
        raise Failure("pass a file, or pipe the output of a run: `python export.py 2>&1 | tslint explain`")
    found = list(explained(log.read()))
    if output_format == "json":
        emit(json.dumps([_object(message, rules) for message, rules in found], indent=2) + "\n")
    else:
        text = "\n".join(_shown(message, rules) for message, rules in found)
        emit(text if wants_color(color, sys.stdout) else click.unstyle(text))
        if not found:
            click.echo("note: no rule matches a message in the log; use `tslint check` on the code", err=True)
    ctx.exit(0 if found else 1)


def _object(message: str, rules: list[RegisteredRule]) -> dict[str, object]:
    named = [{"code": each.rule.code, "name": each.rule.name, "url": each.rule.url} for each in rules]
    return {"message": message, "rules": named}


def _shown(message: str, rules: list[RegisteredRule]) -> str:
    lines = [click.style(message, bold=True)]
    for each in rules:
        lines.append(f"  {each.rule.code} {each.rule.name}: {each.summary}")
    return "\n".join([*lines, f"  `tslint rule {rules[0].rule.code}` explains it" + _several(rules), ""])


def _several(rules: list[RegisteredRule]) -> str:
    return "" if len(rules) == 1 else "; `tslint check` shows which of them it is"
