"""Checks the fixes of a text from a table of cases: Python computes the same before and after them, and the compiler
accepts the fixed text.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

from tests.oracle import Oracle
from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.diagnostics import Applicability
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

# The families whose fixes the tables test; other families may have findings as well.
FAMILIES = ("TS1", "TS2", "TS6", "TS7")


class Runner:
    """A process that runs files; see ``runner.py``."""

    def __init__(self) -> None:
        self._ask = Oracle(Path(__file__).with_name("runner.py"))

    def __call__(self, text: str, calls: list[str]) -> Any:
        """Return the values of expressions in a file with this text."""
        return self._ask(text, calls=calls)


@cache
def the_runner() -> Runner:
    """Return the runner of this test session."""
    return Runner()


def fixed(text: str) -> tuple[str, set[str]]:
    """Return a text with all fixes of the families, unsafe ones too, applied until none is left; and their rules."""
    codes: set[str] = set()
    for _ in range(10):
        found = [
            each for each in findings(text)
            if each.code.startswith(FAMILIES) and each.fix and each.fix.applicability is not Applicability.DISPLAY
        ]  # fmt: skip
        if not found:
            return text, codes
        for each in found:
            assert each.fix is not None
            assert bool(each.fix.risks) == (each.fix.applicability is Applicability.UNSAFE), each.fix.message
        codes |= {each.code for each in found}
        applied = apply_fixes(SourceFile(HERE, text), [each.fix for each in found if each.fix is not None])
        assert not applied.invalid
        text = applied.text
        ast.parse(text)
    raise AssertionError("the fixes do not come to an end")


def check(head: str, codes: str, text: str, calls: list[str], *, compiles: bool) -> None:
    """Check that the fixes of these rules change the text, and that Python then computes the same."""
    before = head + dedent(text).strip("\n") + "\n"
    after, of = fixed(before)
    assert " ".join(sorted(of)) == codes
    for one, two in zip(the_runner()(before, calls), the_runner()(after, calls), strict=True):
        # An unsafe fix may replace the exception of a variable without a value by the one of an assertion.
        assert one == two or (one, two) == ("raises UnboundLocalError", "raises AssertionError"), after
    if compiles:
        verdict = the_compiler()(after)
        assert verdict.ok, after + verdict.message


def check_left(head: str, text: str, calls: list[str]) -> None:
    """Check that there is a finding, and that no fix changes the text."""
    before = head + dedent(text).strip("\n") + "\n"
    assert [each for each in findings(before) if each.code.startswith(FAMILIES)]
    assert fixed(before)[0] == before
    assert "import: " not in str(the_runner()(before, calls))
