"""Reads the code on a rule's page."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.registry import RegisteredRule, all_rules
from tslint.rulekit.rule import GOES_WRONG, HEADINGS

_FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TARGET = re.compile(r'# target-torch = "(\d+\.\d+)"\n')
_SINCE = re.compile(r"# Python (\d+)\.(\d+) and later\n")


@dataclass(frozen=True)
class Page:
    """A rule with the code of its page."""

    registered: RegisteredRule
    example: str
    instead: str

    @property
    def must_fail(self) -> bool:
        """Return whether the compiler must reject the example; False if the rule reports no errors of the compiler."""
        rule = self.registered.rule
        # Also False if the example is written for another torch than the installed one.
        certain = rule.severity is Severity.ERROR and rule.stage is Stage.SCRIPT
        # Silent differences compile: test_compiled_pages.py shows them.
        return certain and self.registered.family != "silent" and not TARGET.match(self.example)


def sections(registered: RegisteredRule) -> dict[str, str]:
    """Return the text under each heading of a page."""
    parts = re.split(r"^## (.+)$", registered.page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def why(registered: RegisteredRule) -> str:
    """Return what a page says about the problem."""
    found = sections(registered)
    return found.get(HEADINGS[1]) or found[GOES_WRONG]


def code(text: str) -> str:
    """Return the first Python block of a section; empty if there is none."""
    found = _FENCE.search(text)
    return found.group(1) if found else ""


def runs_here(text: str) -> bool:
    """Return whether the running Python supports the syntax; code that needs a newer one says so in a comment."""
    since = _SINCE.match(text)
    return since is None or sys.version_info >= (int(since.group(1)), int(since.group(2)))


def pages() -> list[Page]:
    """Return the page of every rule about compiled code (TS9xx are about the tool)."""
    found = []
    for registered in all_rules():
        parts = sections(registered)
        example, instead = code(parts.get(HEADINGS[2], "")), code(parts.get(HEADINGS[3], ""))
        if registered.family != "tool" and runs_here(example):
            found.append(Page(registered, example, instead))
    return found
