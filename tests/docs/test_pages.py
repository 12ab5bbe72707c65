"""Tests the generated pages: complete, correct, and the same as tslint's own output."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click
import pytest

from scripts.record_terminal import PICTURE, printed, text_of
from scripts.site import commands, hooks, messages, rules, settings
from scripts.site.blocks import blocks
from scripts.site.hazards import by_number
from tests.rules.pages import pages
from tslint import config
from tslint.cli import cli
from tslint.rulekit.messages import RECORDED, table
from tslint.rulekit.registry import all_rules
from tslint.util import target_values

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCS = Path(__file__).parents[2] / "docs"


def test_every_rule_has_a_page_with_its_facts_and_its_words() -> None:
    generated = hooks.generated()
    for registered in all_rules():
        page = generated[f"rules/{registered.rule.name}.md"]
        facts = page.partition("\n{ .facts }\n")[0].splitlines()[-1].split(" · ")
        rule = registered.rule
        expected = [f"`{rule.code}`", f"`{rule.name}`", f"**{rule.severity.value}**", f"stage **{rule.stage.value}**"]
        assert facts[:4] == expected
        assert registered.page.strip().partition("\n")[2].strip() in page
        assert registered.rule.url.endswith(f"/rules/{registered.rule.name}/")
        assert f"({registered.rule.name}.md)" in generated["rules/index.md"]


def test_the_promise_of_a_fix_is_that_of_the_page() -> None:
    by_name = {registered.rule.name: rules.fix(registered) for registered in all_rules()}
    assert by_name["nested-class"] == "–"
    assert by_name["try-block"] == "safe, unsafe"
    assert by_name["lambda"] == "safe, unsafe"
    assert "safe" in by_name["untyped-container"]


def test_the_compilers_words_lead_to_the_rule() -> None:
    page = messages.page()
    for words, name in [
        ("try blocks aren't supported", "try-block"),
        ("Expected integer literal for index", "container-index"),
        ("Tried to set nonexistent attribute", "set-missing-attribute"),
        ("Unknown type name", "unreadable-annotation"),
        ("attribute lookup is not defined on python value of type 'Logger'", "logging-call"),
        ("Perhaps it is a closed over global variable?", "closed-over-global"),
    ]:
        assert re.search(rf"^\| .*{re.escape(words)}.* \| \[TS\d+ {name}\]", page, re.MULTILINE), words


def test_the_tool_knows_what_the_index_knows() -> None:
    assert RECORDED.read_text("utf-8") == messages.text(), "run python -m scripts.site.messages"
    assert {(message, found.rule.code) for message, found in table()} >= {
        (message, found.rule.code) for message, found in messages.table()
    }


def test_rules_that_are_off_have_a_badge() -> None:
    rows = rules.index(all_rules()).splitlines()
    marked = {row.split()[1] for row in rows if "*opt-in*{ .badge }" in row}
    assert marked == {registered.rule.code for registered in all_rules() if registered.rule.opt_in}


def test_every_rule_that_the_compiler_stands_behind_is_in_the_index() -> None:
    listed = {registered.rule.name for _, registered in messages.table()}
    missing = {page.registered.rule.name for page in pages() if page.must_fail} - listed
    assert not missing


def test_the_index_only_holds_messages() -> None:
    for message, _ in messages.table():
        assert "0x" not in message
        assert "<--- HERE" not in message
        assert not re.match(r"(class|def) \w+[(:]|\w+ = ", message), message


def test_every_key_is_explained_with_an_example_that_is_taken(tmp_path: Path) -> None:
    assert set(settings.SETTINGS) == set(config._SETTINGS), "give scripts/site/settings.py an example of the new key"
    assert set(settings.TARGET) == set(target_values.TARGET), "give scripts/site/settings.py an example of the new key"
    for text in (settings.settings(), settings.targets()):
        for block in blocks(text):
            path = tmp_path / "below" / "pyproject.toml"
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
            (tmp_path / "tslint.toml").touch()
            loaded = config.load_file(path)
            ((key, value),) = list(tomllib.loads(block.text)["tool"]["tslint"].items())
            if key == "extend":
                assert loaded.extended == (tmp_path / "tslint.toml",)
            elif key not in ("targets", "required-version"):
                assert getattr(loaded, key.replace("-", "_")) != getattr(config.Settings(), key.replace("-", "_")), (
                    value
                )


def test_every_command_and_option_is_listed() -> None:
    text = commands.commands()
    assert re.findall(r"^## `tslint ([\w-]+)`", text, re.MULTILINE) == cli.list_commands(click.Context(cli))
    assert "--extend-select RULES" in text


def test_each_hazard_is_in_one_guide() -> None:
    marks = re.findall(
        r"^<!-- hazard (\d+) -->$", "".join(page.read_text("utf-8") for page in (DOCS / "hazards").glob("*.md")), re.M
    )
    assert sorted(map(int, marks)) == sorted(by_number())


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.relative_to(DOCS).as_posix())
def test_placeholders_in_pages_are_filled(page: Path) -> None:
    assert not re.search(r"^<!-- (?!not run|rejected)", hooks.filled(page.read_text("utf-8")), re.MULTILINE)


def test_links_that_leave_the_site_lead_home(monkeypatch: pytest.MonkeyPatch) -> None:
    link = "[cases](../tests/hazards/cases.py), [rules](rules/index.md)"
    monkeypatch.delenv("READTHEDOCS_GIT_CLONE_URL", raising=False)
    assert hooks.outward(link, "docs") == "cases (`tests/hazards/cases.py`), [rules](rules/index.md)"
    monkeypatch.setenv("READTHEDOCS_GIT_CLONE_URL", "https://example.org/you/tslint.git")
    monkeypatch.setenv("READTHEDOCS_GIT_COMMIT_HASH", "abc")
    found = hooks.outward(link, "docs")
    assert found.startswith("[cases](https://example.org/you/tslint/blob/abc/tests/hazards/cases.py)")


def test_the_picture_shows_what_is_printed() -> None:
    shown = text_of(PICTURE.read_text("utf-8"))
    said = re.sub(r"\s", "", printed("never"))
    assert said in shown, "run scripts/record_terminal.py"
