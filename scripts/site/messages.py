"""Renders the index from the compiler's messages to rules, from the rules' pages and from the verdicts on the snippets
in ``tests/conformance``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from tslint.diagnostics import Severity, Stage
from tslint.lint.analysis import analyse
from tslint.rulekit.messages import RECORDED, message_of, says
from tslint.rulekit.registry import RegisteredRule, all_rules
from tslint.sources.file import SourceFile

SNIPPETS = Path(__file__).resolve().parents[2] / "tests" / "conformance" / "snippets.jsonl"
HEAD = """\
---
title: Errors by message
description: Messages of torch.jit.script and torch.jit.trace, and the rule that explains each of them.
---

# Errors by message

Paste a line of the compiler's message into the search of this site, or find the line on this page. Each message leads
to the rule that explains it, with what to write instead. The names, types and numbers in these messages come from
examples: in your message they are different.

Most messages end with the code and `<--- HERE`. The important line is the first one, or the line after *RuntimeError:*.
After `Arguments for call are not valid. The following variants are available:`, it is the line below an operator that
the compiler tried.

`tslint check` reports all these errors in one run, before you run the compiler. In a terminal, `tslint explain < log`
finds the rules for the messages in a log.

| The compiler says | Rule |
|---|---|
"""


@cache
def of_snippets() -> Mapping[str, tuple[str, ...]]:
    """Return the first lines of the compiler's messages for the snippets, by the name of the rule that explains them.

    Only snippets count for which exactly one rule reports an error on the line that the message names.
    """
    found: dict[str, dict[str, None]] = {}
    with SNIPPETS.open(encoding="utf-8") as lines:
        records = [record for record in map(json.loads, lines) if record["verdict"] != "ok" and record["lines"]]
    for record in records:
        source = SourceFile(SNIPPETS.with_name(f"snippet_{record['id']}.py"), record["source"])
        # Only rules about code that the compiler rejects count, not those about wrong results or saving.
        names = {
            finding.name
            for finding in analyse([source])[source.path]
            if finding.severity is Severity.ERROR
            and finding.stage is Stage.SCRIPT
            and finding.start.row == record["lines"][0]
        }
        message = first_line(record["message"])
        if len(names) == 1 and message:
            found.setdefault(names.pop(), {})[message] = None
    return {name: tuple(messages) for name, messages in found.items()}


def first_line(message: str) -> str:
    """Return the first informative line of a message."""
    return next((text for text in map(message_of, message.splitlines()) if text), "")


def text() -> str:
    """Return the JSON file that tslint reads: messages that no page quotes, by the name of their rule."""
    found = {registered.rule.name: also(registered) for registered in all_rules()}
    return json.dumps({name: said for name, said in found.items() if said}, indent=1, ensure_ascii=False) + "\n"


def also(registered: RegisteredRule) -> tuple[str, ...]:
    """Return messages of a rule that no page quotes."""
    return tuple(message for message in of_snippets().get(registered.rule.name, ()) if message not in _quoted())


@cache
def _quoted() -> str:
    return "\n".join(message for registered in all_rules() for message in says(registered))


def table() -> list[tuple[str, RegisteredRule]]:
    """Return every message with its rule, sorted by message."""
    rows: list[tuple[str, RegisteredRule]] = []
    for registered in all_rules():
        if registered.family != "tool":
            rows += [(message, registered) for message in (*says(registered), *also(registered))]
    return sorted(set(rows), key=lambda row: (row[0].lstrip("'\"`<([{ ").lower(), row[1].rule.code))


def page(rows: Sequence[tuple[str, RegisteredRule]] | None = None) -> str:
    """Return the whole page."""
    by_message: dict[str, list[str]] = {}
    for message, registered in table() if rows is None else rows:
        rule = registered.rule
        by_message.setdefault(message, []).append(f"[{rule.code} {rule.name}](rules/{rule.name}.md)")
    return HEAD + "".join(f"| {_cell(message)} | {', '.join(links)} |\n" for message, links in by_message.items())


def _cell(message: str) -> str:
    # Backticks in code need a longer fence, and pipes end a cell even in code.
    fence = "``" if "`" in message else "`"
    pad = " " if "`" in message else ""
    return fence + pad + message.replace("|", "\\|") + pad + fence


if __name__ == "__main__":
    RECORDED.write_text(text(), encoding="utf-8")
