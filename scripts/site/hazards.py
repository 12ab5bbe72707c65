"""Renders the examples of the hazard guides, from ``tests/hazards/cases.py``, with tslint's findings."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import tslint
from tests.hazards.cases import HAZARDS, Hazard
from tslint.diagnostics import Diagnostic
from tslint.rulekit.registry import all_rules

STAGES = {
    "script": "runs the compiler",
    "trace": "runs the tracer",
    "generalize": "runs the module on other inputs than the example inputs",
    "modes": "calls `train()` and `eval()` on the compiled module",
    "state": "calls the module several times in a row",
    "device": "runs the archive on another device",
    "compare": "compares the results with those of eager",
    "save": "writes the archive",
    "reload": "loads the archive in a fresh process that imports only torch",
    "threads": "measures the first calls",
}


@cache
def by_number() -> dict[int, Hazard]:
    """Return the hazards, by their row in the table."""
    return {hazard.number: hazard for hazard in HAZARDS}


@cache
def found(number: int) -> tuple[Diagnostic, ...]:
    """Return the findings of the hazard's rules in its code."""
    hazard = by_number()[number]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "net.py")
        path.write_text(hazard.text, encoding="utf-8")
        findings = tslint.check(path, isolated=True)
    return tuple(finding for finding in findings if finding.name in hazard.rules)


def example(number: int) -> str:
    """Return the section of a hazard: its heading, its code, its findings, and the stage that catches it."""
    hazard = by_number()[number]
    parts = [f"### {number}. {hazard.pattern} {{ #hazard-{number} }}", f"```python\n{hazard.source.strip()}\n```"]
    for finding in found(number):
        words = f"**[{finding.code} {finding.name}](../rules/{finding.name}.md)** ({finding.severity.value}): "
        parts.append(words + finding.message + (f". {finding.help}" if finding.help else ""))
    parts.append(_by_running(hazard))
    return "\n\n".join(parts)


def _by_running(hazard: Hazard) -> str:
    if not hazard.stage:
        return "*No stage of `tslint verify` finds it: the problem appears where the archive is used.*"
    does = STAGES[hazard.stage]
    if not hazard.warns:
        return f"*`tslint verify` finds it in its stage `{hazard.stage}`, which {does}.*"
    code = next(registered.rule.code for registered in all_rules() if registered.rule.name == hazard.warns)
    link = f"[{code} {hazard.warns}](../rules/{hazard.warns}.md)"
    return f"*`tslint verify` {does} in its stage `{hazard.stage}`, and reports {link}; the verdict stays the same.*"
