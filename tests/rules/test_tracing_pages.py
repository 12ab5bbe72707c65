"""Tests the pages of the tracing rules with the real tracer: the trace of the example is wrong, that of the alternative
is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.oracle import Oracle
from tests.rules.driver import findings
from tests.rules.pages import Page, pages, sections
from tslint.diagnostics import Applicability, Severity, Stage
from tslint.fixing.edits import apply_fixes
from tslint.rulekit.rule import HEADINGS
from tslint.sources.file import SourceFile

TRACER = Path(__file__).with_name("tracer.py")
PAGES = [page for page in pages() if page.registered.family == "tracing"]
every_page = pytest.mark.parametrize("page", PAGES, ids=[page.registered.rule.name for page in PAGES])
Trace = Callable[[str], dict[str, Any]]


@pytest.fixture(scope="module")
def trace() -> Iterator[Trace]:
    """Yield a function that traces a page's code."""
    oracle = Oracle(TRACER)
    yield oracle
    oracle.close()


@every_page
def test_the_example_goes_wrong(page: Page, trace: Trace) -> None:
    found = trace(page.example)
    assert not found["raised"].startswith("page:"), found["raised"]
    assert found["raised"] or found["eager"] != found["traced"], "the trace is right for the other inputs"


@every_page
def test_what_to_use_instead_is_right_for_other_inputs(page: Page, trace: Trace) -> None:
    found = trace(page.instead)
    assert not found["raised"]
    assert found["eager"] == found["traced"]
    assert [finding for finding in findings(page.instead) if finding.code.startswith("TS7")] == []


@every_page
def test_the_tracer_says_what_the_finding_quotes(page: Page, trace: Trace) -> None:
    (finding,) = (each for each in findings(page.example) if each.code == page.registered.rule.code)
    found = trace(page.example)
    said = [*found["warnings"], found["raised"]]
    if finding.compiler:
        assert any(finding.compiler in each for each in said), said
    else:
        # There must be no other finding: its warnings belong to another rule.
        assert not found["raised"]


@every_page
def test_a_finding_is_about_the_trace(page: Page) -> None:
    found = [finding for finding in findings(page.example) if finding.code == page.registered.rule.code]
    assert {finding.stage for finding in found} == {Stage.TRACE}
    assert all(finding.compiled_via for finding in found)
    certain = page.registered.rule.name == "untraceable-output"
    assert {finding.severity for finding in found} == {Severity.ERROR if certain else Severity.WARNING}


@every_page
def test_a_fix_makes_the_trace_right(page: Page, trace: Trace) -> None:
    fixes = [f.fix for f in findings(page.example) if f.code == page.registered.rule.code and f.fix is not None]
    if sections(page.registered)[HEADINGS[4]].strip().startswith("No fix"):
        assert fixes == []
        return
    applied = apply_fixes(SourceFile(Path("/example/page.py"), page.example), fixes)
    before, after = trace(page.example), trace(applied.text)
    assert after["eager"] == after["traced"]
    if all(fix.applicability is Applicability.SAFE for fix in fixes):
        assert before["eager"] == after["eager"]
