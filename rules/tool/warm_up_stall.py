"""The first calls of the loaded module take many times as long as later ones.

## What it does

`tslint verify` times the first calls of each archive in its stage `threads` and reports the slowest, if it takes at
least a quarter of a second and ten times as long as a warm call. `tslint check` never reports it.

## What goes wrong

TorchScript accepts it, but the first requests are slow: the executor records types and shapes in the first call, and
optimises for them in the second. This happens again in every process, and for new shapes
([pytorch#33354](https://github.com/pytorch/pytorch/issues/33354)).

## Fix safety

No fix: before the module serves requests, call it twice with inputs of the same shapes and types.
`torch.jit.set_fusion_strategy` limits how often the executor optimises for new shapes.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule("TS907", "warm-up-stall", events=(), severity=Severity.INFO, stage=Stage.LOAD)


def check(match: Match) -> Iterator[Finding]:
    """Yield nothing: ``tslint verify`` reports the findings of this rule."""
    yield from ()
