"""``tslint rule``: the page of a rule, or the table of all."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Any

import click

from tslint.cli import Failure
from tslint.cli.completion import complete_rules

if TYPE_CHECKING:
    from tslint.rulekit.registry import RegisteredRule


@click.command("rule", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("rule", required=False, metavar="[CODE|NAME|WORDS]", shell_complete=complete_rules)
@click.option("--all", "everything", is_flag=True, help="List all rules (also without an argument).")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="Default: text.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Default: auto.")
def command(rule: str | None, everything: bool, output_format: str, color: str) -> None:
    """Explain a rule: what it finds, why, and what to write instead.

    A prefix (TS1) lists the rules of a family. WORDS are part of an error message of the compiler, in quotation marks.
    """
    from tslint.cli.output import emit, wants_color

    if rule is not None and everything:
        raise click.UsageError("name a rule or pass --all, not both", click.get_current_context())
    from tslint.rulekit.registry import all_rules

    found = list(all_rules())
    single = False
    if rule is not None:
        found = _matching(rule)
        prefix = rule.startswith("TS") and len(rule) < len("TS104")
        single = len(found) == 1 and not prefix
        if not found:
            raise Failure(f"no rule begins with {rule}; `tslint rule --all` lists them")
    styled = wants_color(color, sys.stdout)
    if output_format == "json":
        objects = [_object(registered) for registered in found]
        text = json.dumps(objects[0] if single else objects, indent=2) + "\n"
    else:
        text = _page(found[0]) if single else _table(found)
        text = text if styled else click.unstyle(text)
    emit(text)


def _matching(word: str) -> list[RegisteredRule]:
    """Return the rules that match a code, a prefix, a name, or a message of the compiler.

    Raises:
        Failure: nothing matches.
    """
    from tslint.lint.selection import ALL, resolve, suggestion
    from tslint.rulekit.registry import all_rules

    code = resolve(word)
    if code is not None:
        return [each for each in all_rules() if code == ALL or each.rule.code.startswith(code)]
    if " " not in word.strip():
        raise Failure(f"unknown rule {word!r}{suggestion(word)}")
    from tslint.rulekit.messages import of_words

    found = of_words(word)
    if not found:
        raise Failure(f"no rule explains {word!r}; use `tslint check` on the code")
    return found


def _object(registered: RegisteredRule) -> dict[str, Any]:
    rule = registered.rule
    return {
        "code": rule.code,
        "name": rule.name,
        "family": registered.family,
        "severity": rule.severity.value,
        "stage": rule.stage.value,
        "since": rule.since,
        "until": rule.until,
        "default": not rule.opt_in,
        "summary": registered.summary,
        "url": rule.url,
        "page": registered.page.strip() + "\n",
    }


def _table(found: list[RegisteredRule]) -> str:
    width = max(len(registered.rule.name) for registered in found)
    lines: list[str] = []
    family = ""
    for registered in found:
        rule = registered.rule
        if registered.family != family:
            family = registered.family
            lines += [""] * bool(lines) + [click.style(f"{rule.code[:3]}xx {family}", bold=True)]
        quiet = " (opt-in)" if rule.opt_in else ""
        severity = f"{rule.severity.value:<7}"
        lines.append(f"  {rule.code}  {rule.name:<{width}}  {severity}  {_plain(registered.summary)}{quiet}")
    return "\n".join(lines) + "\n"


def _page(registered: RegisteredRule) -> str:
    rule = registered.rule
    facts = [f"{rule.severity.value}, stage {rule.stage.value}"]
    if rule.since:
        facts.append(f"since torch {rule.since}")
    if rule.until:
        facts.append(f"until torch {rule.until}")
    if rule.opt_in:
        facts.append("off by default")
    lines = [click.style(f"{rule.code} {rule.name}", bold=True) + f" ({', '.join(facts)})", ""]
    code = False
    for line in registered.page.strip().splitlines():
        fence = line.lstrip().startswith("```")
        if fence:
            code = not code
        elif code:
            lines.append("    " + click.style(line, fg="cyan") if line else "")
        elif heading := re.match(r"#+\s+(.*)", line):
            lines.append(click.style(heading[1], bold=True, underline=True))
        else:
            lines.append(re.sub(r"`([^`]+)`", lambda match: click.style(match[0], fg="cyan"), line))
    return "\n".join([*lines, "", rule.url]) + "\n"


def _plain(text: str) -> str:
    return text.replace("``", "`")
