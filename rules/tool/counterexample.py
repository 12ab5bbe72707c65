"""A compiled module differs from the model for some input, mode, device or call.

## What it does

`tslint verify` reports under this code the line that makes a trace differ from eager: a condition that was decided
while tracing, a device or size that became a constant, or an attribute whose new value was lost. If the trace differs
for other inputs, the message contains the smallest such input that was found. `tslint check` never reports it.

## What goes wrong

The trace is right for the example inputs, but not for other inputs, modes, devices or calls. The stages `generalize`,
`modes`, `state` and `device` look for such cases.

## Fix safety

No fix: compute the value with tensor operations. If the scripted module is right, you can also deploy that one.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule("TS905", "counterexample", events=(), severity=Severity.ERROR, stage=Stage.TRACE)


def check(match: Match) -> Iterator[Finding]:
    """Yield nothing: ``tslint verify`` reports the findings of this rule."""
    yield from ()
