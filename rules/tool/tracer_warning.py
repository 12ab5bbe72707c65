"""The tracer warns that the trace may not be the model.

## What it does

`tslint verify` reports each `TracerWarning` of `torch.jit.trace` under this code, at the line that it names: a value
was taken from a tensor into Python and is a constant from then on. `tslint check` never does.

## Why TorchScript rejects it

It does not reject it: the trace is made, and is right for the inputs that it was made with. Whether it is right for
others, the stage `generalize` tells.

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
    """Yield nothing: ``tslint verify`` reports it."""
    yield from ()
