"""``tslint rule``: the page of a rule, and the table of all."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from tslint.cli import cli
from tslint.rulekit.registry import RegisteredRule, all_rules


def rule(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["rule", *arguments])


@pytest.mark.parametrize("registered", all_rules(), ids=lambda registered: registered.rule.name)
def test_every_rule_has_a_page_by_code_and_name(registered: RegisteredRule) -> None:
    page = rule(registered.rule.code)
    assert page.exit_code == 0
    assert page.stdout == rule(registered.rule.name).stdout
    assert page.stdout.startswith(f"{registered.rule.code} {registered.rule.name} (")
    assert "What it does" in page.stdout
    assert registered.rule.url in page.stdout
    # Markdown is for the web page.
    assert "```" not in page.stdout
    assert not [line for line in page.stdout.splitlines() if line.startswith("## ")]


def test_the_table_of_all() -> None:
    table = rule("--all")
    assert table.stdout == rule().stdout
    for registered in all_rules():
        assert f"  {registered.rule.code}  {registered.rule.name} " in table.stdout


def test_a_family() -> None:
    table = rule("TS9").stdout
    assert "TS901  unparsable-file" in table
    assert "TS1" not in table


def test_json() -> None:
    page = json.loads(rule("TS902", "--output-format", "json").stdout)
    assert (page["name"], page["severity"], page["family"]) == ("unused-suppression", "warning", "tool")
    assert page["page"].startswith(page["summary"])
    assert len(json.loads(rule("--output-format", "json").stdout)) == len(all_rules())


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("TS9O2", "error: unknown rule 'TS9O2'; did you mean 'TS902'?\n"),
        ("unused-supression", "error: unknown rule 'unused-supression'; did you mean 'unused-suppression'?\n"),
        ("qqq", "error: unknown rule 'qqq'; `tslint rule --all` lists them\n"),
    ],
)
def test_unknown_rules(argument: str, message: str) -> None:
    result = rule(argument)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)
