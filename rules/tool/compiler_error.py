"""An error of the compiler that no rule explains.

## What it does

`tslint verify` reports errors of `torch.jit.script` and `torch.jit.trace` under this code if no rule has found the
cause, at the line that the compiler names. `tslint check` never reports it.

## Why TorchScript rejects it

The message is the compiler's own. Please report the message and the code to the authors of tslint: a rule is missing.

## Fix safety

No fix.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule("TS903", "compiler-error", events=(), severity=Severity.ERROR, stage=Stage.SCRIPT)


def check(match: Match) -> Iterator[Finding]:
    """Yield nothing: ``tslint verify`` reports the findings of this rule."""
    yield from ()
