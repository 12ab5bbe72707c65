"""# `F.dropout` without `training=` in traced code

## What it does

Finds `F.dropout(x, p)` (and `dropout1d`, `dropout2d`, `dropout3d`) without `training=` in code that is traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. `training` is True by default, so the
trace applies dropout in eval mode, too, as eager code does.

```text
TracerWarning: Trace had nondeterministic nodes. Did you forget call .eval() on your model?
```

## Example

```python
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.dropout(x, 0.5)


inputs = (torch.ones(20),)
other_inputs = (torch.ones(30),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.dropout(x, 0.5, training=self.training)


inputs = (torch.ones(20),)
other_inputs = (torch.ones(30),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

No fix: with `training=self.training` the model no longer applies dropout in eval mode. That is usually wanted, but it
changes results.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.tracing import TraceDropout

RULE = Rule(
    code="TS712",
    name="traced-dropout",
    events=(TraceDropout,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


def check(match: Match[TraceDropout]) -> Iterator[Finding]:
    """Report the call that also applies dropout in eval mode."""
    yield match.finding(
        f"{match.event_text} applies dropout in eval mode, too, and so does the trace",
        help="Write `training=self.training` or use `nn.Dropout`, and call `.eval()` before tracing.",
    )
