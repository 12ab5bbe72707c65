"""Renders the command line reference, from click."""

from __future__ import annotations

import inspect

import click

from tslint.cli import cli


def commands() -> str:
    """Return a section for each command, with its arguments and options."""
    root = click.Context(cli, info_name="tslint")
    return "\n".join(_section(cli, name, root) for name in cli.list_commands(root))


def _section(group: click.Group, name: str, parent: click.Context) -> str:
    command = group.get_command(parent, name)
    assert command is not None
    context = click.Context(command, info_name=name, parent=parent, **command.context_settings)
    usage = command.get_usage(context).removeprefix("Usage: ")
    text = f"## `{context.command_path}` {{ #{name} }}\n\n```text\n{usage}\n```\n\n{_prose(command.help or '')}\n\n"
    # Arguments are in the usage line, and the text explains them.
    options = [option for option in command.get_params(context) if isinstance(option, click.Option)]
    rows = [_row(record) for option in options if (record := option.get_help_record(context))]
    text += "| Option | What it does |\n|---|---|\n" + "".join(rows)
    if isinstance(command, click.Group):
        text += "\n" + "\n".join(_section(command, inner, context) for inner in command.list_commands(context))
    return text


def _row(record: tuple[str, str]) -> str:
    names, words = (part.replace("|", "\\|") for part in record)
    return f"| `{names}` | {words} |\n"


def _prose(text: str) -> str:
    return inspect.cleandoc(text).replace("\b\n", "")
