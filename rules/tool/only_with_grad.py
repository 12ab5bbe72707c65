"""A stage of `tslint verify` fails only if gradients are recorded.

## What it does

With `grad = "both"` (or `--grad both`), `tslint verify` runs most stages twice: without gradients, as models are
deployed, and with gradients. This rule reports what fails only with gradients. `tslint check` never reports it.

## What goes wrong

Some code depends on the grad mode: `nn.MultiheadAttention` and `nn.TransformerEncoderLayer` run other code without
gradients. And `@torch.no_grad()` on `forward` has no effect in compiled code, so its outputs require grad.

## Fix safety

No fix: call the module under `torch.no_grad()` or `torch.inference_mode()`, or set `grad = "off"` if the loaded module
is never trained.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule("TS908", "only-with-grad", events=(), severity=Severity.ERROR, stage=Stage.LOAD)


def check(match: Match) -> Iterator[Finding]:
    """Yield nothing: ``tslint verify`` reports the findings of this rule."""
    yield from ()
