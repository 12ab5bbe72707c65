"""Tests ``tslint rule``: the page of a rule, and the table of all."""

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
    # Markdown is only used on the web page.
    assert "```" not in page.stdout
    assert not [line for line in page.stdout.splitlines() if line.startswith("## ")]


def test_all_rules_are_listed() -> None:
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


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("Unsupported value kind", ["TS327"]),
        ("expected integer literal for index", ["TS401"]),
        ("RuntimeError: strides() called on an undefined Tensor", ["TS810"]),
        (
            "Variable 'mine' previously had type Dict[str, int] but is now being assigned to a value of type int",
            ["TS321"],
        ),
        ("Compiled functions can't take variable number of arguments", ["TS115", "TS116", "TS344", "TS429"]),
    ],
)
def test_the_compilers_words_lead_to_the_rule(words: str, codes: list[str]) -> None:
    found = json.loads(rule(words, "--output-format", "json").stdout)
    assert [each["code"] for each in (found if isinstance(found, list) else [found])] == codes


def test_a_message_that_no_rule_explains() -> None:
    result = rule("no such words")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "error: no rule explains 'no such words'; use `tslint check` on the code\n"


LOG = """\
Traceback (most recent call last):
  File "/home/me/export.py", line 3, in <module>
    torch.jit.script(Net())
RuntimeError:
Expected integer literal for index but got a variable or non-integer. ModuleList/Sequential indexing is only supported:
  File "/home/me/net.py", line 14
        x = self.layers[i](x)
            ~~~~~~~~~~~ <--- HERE
/torch/jit/_trace.py:1: TracerWarning: Using len to get tensor shape might cause the trace to be incorrect. Recommended
RuntimeError: Expected integer literal for index
"""


def explain(log: str, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["explain", *arguments], input=log)


def test_a_log_is_explained() -> None:
    result = explain(LOG)
    assert (result.exit_code, result.stderr) == (0, "")
    told = [line.split()[0] for line in result.stdout.splitlines() if line.startswith("  TS")]
    assert told == ["TS401", "TS705"]
    found = json.loads(explain(LOG, "--output-format", "json").stdout)
    assert [each["rules"][0]["name"] for each in found] == ["container-index", "traced-len"]


@pytest.mark.parametrize("log", ["", "all is well\n", "class Net(nn.Module):\n    pass\n"])
def test_a_log_without_a_message_of_the_compiler(log: str) -> None:
    result = explain(log)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("note: no rule matches a message in the log")
