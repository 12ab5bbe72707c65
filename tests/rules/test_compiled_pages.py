"""Tests the pages of rules about code that compiles: each example shows the problem, and the fixed version does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.oracle import Oracle
from tests.rules.driver import HERE, findings
from tests.rules.pages import TARGET, Page, pages, why
from tslint.diagnostics import Applicability, Stage
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

Ship = Callable[[str], dict[str, Any]]
COMPILED = [page for page in pages() if page.registered.family in ("silent", "deployment")]
# Examples that only another torch rejects have tests of their own.
COMPILED = [page for page in COMPILED if not TARGET.match(page.example)]
SILENT = [page for page in COMPILED if page.registered.family == "silent"]
DEPLOYMENT = [page for page in COMPILED if page.registered.family == "deployment"]


def named(found: list[Page]) -> list[str]:
    return [page.registered.rule.name for page in found]


@pytest.fixture(scope="module")
def ship() -> Iterator[Ship]:
    """Yield a function that compiles, runs, saves and loads a text, each once."""
    oracle = Oracle(Path(__file__).with_name("shipper.py"))

    def shipped(text: str) -> dict[str, Any]:
        done: dict[str, Any] = oracle(text)
        assert "broken" not in done, done
        return done

    yield shipped
    oracle.close()


def raised(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("raises")


def phrase(page: Page) -> str:
    """Return the compiler's message that the page quotes; empty if there is none."""
    text = why(page.registered)
    return " ".join(text.split("```text")[1].split("```")[0].split()) if "```text" in text else ""


def mended(page: Page) -> str | None:
    """Return the example with the rule's fix; None if there is none."""
    fixes = [f.fix for f in findings(page.example) if f.code == page.registered.rule.code and f.fix is not None]
    fixes = [fix for fix in fixes if fix.applicability is not Applicability.DISPLAY]
    return apply_fixes(SourceFile(HERE, page.example), fixes).text if fixes else None


@pytest.mark.parametrize("page", SILENT, ids=named(SILENT))
def test_the_example_gives_something_else_in_torchscript(page: Page, ship: Ship) -> None:
    found = ship(page.example)
    assert not raised(found["eager"])
    assert found["eager"] != found["scripted"]
    assert phrase(page) in str(found["scripted"])


@pytest.mark.parametrize("page", SILENT, ids=named(SILENT))
def test_what_to_use_instead_gives_the_same_in_both(page: Page, ship: Ship) -> None:
    found = ship(page.instead)
    assert not raised(found["eager"])
    assert "def run" in page.instead or found["eager"] == found["loaded"]
    assert found["eager"] == found["scripted"]


MENDED = [page for page in COMPILED if mended(page) is not None]


@pytest.mark.parametrize("page", MENDED, ids=named(MENDED))
def test_the_fixed_example_gives_in_both_what_python_gave(page: Page, ship: Ship) -> None:
    text = mended(page)
    assert text is not None
    found = ship(text)
    assert found["eager"] == found["scripted"] == ship(page.example)["eager"]


@pytest.mark.parametrize("page", DEPLOYMENT, ids=named(DEPLOYMENT))
def test_the_example_fails_at_the_stage_of_its_rule(page: Page, ship: Ship) -> None:
    found = ship(page.example)
    assert not raised(found["eager"])
    if page.registered.rule.stage is Stage.SAVE:
        assert not raised(found["scripted"])
        assert raised(found["saved"])
        harm = found["saved"]
    else:
        assert not raised(found["saved"])
        assert found["eager"] != found["loaded"] or raised(found.get("shipped")) or differing_keys(found)
        harm = found["loaded"] if raised(found["loaded"]) else found.get("shipped", "")
    assert phrase(page) in " ".join(str(harm).split())


def differing_keys(found: dict[str, Any]) -> bool:
    return bool(found["keys"] != found["scripted_keys"])


@pytest.mark.parametrize("page", DEPLOYMENT, ids=named(DEPLOYMENT))
def test_what_to_use_instead_is_saved_and_loaded(page: Page, ship: Ship) -> None:
    found = ship(page.instead)
    assert found["eager"] == found["scripted"] == found["loaded"]
    assert not raised(found["saved"]) and not raised(found.get("shipped")) and not differing_keys(found)


@pytest.mark.parametrize("page", COMPILED, ids=named(COMPILED))
def test_the_rule_is_quiet_about_what_to_use_instead(page: Page) -> None:
    assert page.registered.rule.code not in [finding.code for finding in findings(page.instead)]
