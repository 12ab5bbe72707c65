"""Values differ by more than rounding, but within what `tslint verify` allows.

## What it does

`tslint verify` reports such differences in two stages, each with the largest difference. In `eager`, two runs with the
same seed differ by up to a hundredth of the largest value; later stages then allow four times this difference. In
`freeze`, the frozen module differs from the unfrozen one by more than other stages allow. `tslint check` never reports
it.

## What goes wrong

A stage with a wider tolerance finds less: an error of the compiled module that is smaller than the difference is not
noticed. Freezing folds weights, for example those of a batch norm into a convolution, and so rounds differently.

## Fix safety

No fix: make the forward deterministic, and seed random numbers that do not come from torch's own generator. For
`freeze`, decide whether the difference matters; `freeze-rtol` and `freeze-atol` say how much is accepted.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule("TS909", "drifting-values", events=(), severity=Severity.WARNING, stage=Stage.LOAD)


def check(match: Match) -> Iterator[Finding]:
    """Yield nothing: ``tslint verify`` reports the findings of this rule."""
    yield from ()
