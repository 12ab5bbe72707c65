"""The tracer warns that the trace may differ from the model.

## What it does

`tslint verify` reports a `TracerWarning` under this code if no rule has found the cause, at the line that the warning
names: the code there converts a tensor to a Python value, which is a constant of the trace. `tslint check` never
reports it.

## What goes wrong

The trace is correct for the example inputs, but perhaps not for others. The stage `generalize` tests that.

## Fix safety

No fix.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule("TS904", "tracer-warning", events=(), severity=Severity.WARNING, stage=Stage.TRACE)


def check(match: Match) -> Iterator[Finding]:
    """Yield nothing: ``tslint verify`` reports the findings of this rule."""
    yield from ()
