"""Tests every rule's page with the installed compiler."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tests.rules.pages import Page, pages, sections, why
from tslint.diagnostics import Applicability, Diagnostic, Severity, Stage
from tslint.fixing.edits import apply_fixes
from tslint.rulekit.registry import RegisteredRule, all_rules
from tslint.rulekit.rule import GOES_WRONG, HEADINGS
from tslint.sources.file import SourceFile

PAGES = pages()
every_page = pytest.mark.parametrize("page", PAGES, ids=[page.registered.rule.name for page in PAGES])
every_rule = pytest.mark.parametrize(
    "registered", all_rules(), ids=[registered.rule.name for registered in all_rules()]
)


def of_rule(page: Page, text: str) -> list[Diagnostic]:
    return [finding for finding in findings(text) if finding.code == page.registered.rule.code]


def errors(text: str) -> list[Diagnostic]:
    """Return the errors at which the compiler would stop, except that a call of an ignored function cannot be saved."""
    return [f for f in findings(text) if f.severity is Severity.ERROR and f.stage is Stage.SCRIPT]


def fixed(page: Page) -> str | None:
    """Return the example with this rule's fixes applied until none is left; None if there is none to apply."""
    text = page.example
    for _ in range(10):
        fixes = [
            finding.fix
            for finding in of_rule(page, text)
            if finding.fix is not None and finding.fix.applicability is not Applicability.DISPLAY
        ]
        if not fixes:
            return text if text != page.example else None
        applied = apply_fixes(SourceFile(HERE, text), fixes)
        assert not applied.invalid
        text = applied.text
    raise AssertionError("the fixes of the example do not come to an end")


FIXED = [page for page in PAGES if fixed(page) is not None]


@every_rule
def test_the_page_has_its_headings(registered: RegisteredRule) -> None:
    found = sections(registered)
    headings = [HEADINGS[1] if heading == GOES_WRONG else heading for heading in found]
    if registered.family == "tool":
        # Pages of findings about the tool have no code to show.
        assert [heading for heading in HEADINGS if heading in headings] == headings
    else:
        assert registered.page.startswith("# ")
        assert tuple(headings) == HEADINGS
    assert all(text.strip() for text in found.values())


@every_rule
def test_a_page_about_accepted_code_says_what_goes_wrong(registered: RegisteredRule) -> None:
    accepted = bool(re.match(r"(TorchScript|The compiler) accepts (it|the)\b", why(registered).strip()))
    assert not accepted or GOES_WRONG in sections(registered)


@every_rule
def test_the_record_fits_the_family(registered: RegisteredRule) -> None:
    digits = {"syntax": 1, "names": 2, "types": 3, "modules": 4, "annotations": 5, "silent": 6, "tracing": 7}
    first = {**digits, "deployment": 8, "tool": 9}[registered.family]
    assert registered.rule.code.startswith(f"TS{first}")
    assert len(registered.rule.code) == 5
    # TS9xx come from the tool itself, not from events.
    assert registered.rule.events or registered.family == "tool"
    check = getattr(import_module(registered.module), "check", None)
    assert inspect.isgeneratorfunction(check) or registered.family == "tool"


@every_page
def test_the_compiler_rejects_the_example_where_the_finding_stands(page: Page) -> None:
    found = of_rule(page, page.example)
    assert found, "the rule does not find its own example"
    verdict = the_compiler()(page.example)
    assert not verdict.message.startswith("import:"), verdict.message
    if page.must_fail:
        assert not verdict.ok, "the example compiles"
        if verdict.lines:
            assert verdict.lines[0] in [finding.start.row for finding in found], verdict.message


@every_page
def test_the_page_quotes_the_compiler(page: Page) -> None:
    if page.must_fail:
        said = the_compiler()(page.example).first
        quoted = [
            line for line in why(page.registered).split("```text")[1].split("```")[0].splitlines() if line.strip()
        ]
        assert any(line.rstrip(":.… ") in said or said in line for line in quoted), said


@every_page
def test_the_page_says_whether_there_is_a_fix(page: Page) -> None:
    promise = sections(page.registered)[HEADINGS[4]].strip()
    offered = [finding.fix for finding in of_rule(page, page.example) if finding.fix is not None]
    assert bool(offered) != promise.startswith("No fix")
    for fix in offered:
        assert f"*{fix.applicability.value}*" in promise or fix.applicability is Applicability.DISPLAY
        assert bool(fix.risks) == (fix.applicability is Applicability.UNSAFE), fix.message


@every_page
def test_what_to_use_instead_compiles_and_has_no_finding(page: Page) -> None:
    assert page.instead
    assert errors(page.instead) == []
    verdict = the_compiler()(page.instead)
    assert verdict.ok, verdict.message
    assert verdict.eager == verdict.scripted


@pytest.mark.parametrize("page", FIXED, ids=[page.registered.rule.name for page in FIXED])
def test_the_fixed_example_compiles_and_computes_the_same(page: Page) -> None:
    text = fixed(page)
    assert text is not None
    ast.parse(text)
    before, after = the_compiler()(page.example), the_compiler()(text)
    assert after.ok, text + after.message
    assert before.eager is not None, "an example with a fix needs `inputs`"
    assert before.eager == after.eager == after.scripted
    assert before.keys == after.keys
    assert errors(text) == []
