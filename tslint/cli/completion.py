"""``tslint completion``: shell completion of commands, options and rules."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem, get_completion_class

SHELLS = ("bash", "zsh", "fish")
_VARIABLE = "_TSLINT_COMPLETE"


def complete_rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete rules whose code, name or family begins with the typed text; after a comma, the next rule."""
    from tslint.lint.selection import FAMILIES
    from tslint.rulekit.registry import all_rules

    # Options accept a list with commas; the command `rule` takes one name.
    before, comma, word = incomplete.rpartition(",")
    found = [CompletionItem(before + comma + code, help=name) for code, name in FAMILIES.items() if len(word) < 3]
    for registered in all_rules():
        found.append(CompletionItem(before + comma + registered.rule.code, help=registered.rule.name))
        # Names are only completed after a letter of a name: a bare TAB would show every rule twice.
        if word and not word.startswith("TS"):
            found.append(CompletionItem(before + comma + registered.rule.name, help=registered.rule.code))
    return [item for item in found if item.value.startswith(incomplete)]


@click.command("completion", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, /, shell: str) -> None:
    """Print the completion script of a SHELL.

    \b
    bash, in ~/.bashrc:                   eval "$(tslint completion bash)"
    zsh, in ~/.zshrc:                     eval "$(tslint completion zsh)"
    fish, in ~/.config/fish/config.fish:  tslint completion fish | source
    """
    from tslint.cli.output import emit

    found = get_completion_class(shell)
    assert found is not None  # click.Choice has checked the name
    script = found(ctx.find_root().command, {}, "tslint", _VARIABLE)
    # source() is not used: it starts bash, only to warn about old versions of bash.
    emit(script.source_template % script.source_vars())
