"""A compiled module differs from the model for some input, mode, device or call.

## What it does

`tslint verify` reports under this code the line because of which a trace (or a scripted module) differs from eager: the
condition that was decided while tracing, the device or size that became a constant, the attribute whose new value was
lost. The message holds the smallest input that was found. `tslint check` never does.

## Why TorchScript rejects it

It does not reject it: the module compiles, and is right for the inputs that it was compiled with. The stages
`generalize`, `modes`, `state` and `device` look for others.

## Fix safety

No fix: script the module, or compute the value with tensor operations.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule("TS905", "counterexample", events=(), severity=Severity.ERROR, stage=Stage.TRACE)


def check(match: Match) -> Iterator[Finding]:
    """Yield nothing: ``tslint verify`` reports it."""
    yield from ()
