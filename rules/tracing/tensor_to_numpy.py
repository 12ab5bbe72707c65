"""# NumPy in traced code

## What it does

Finds `x.numpy()` and NumPy functions of tensors in code that is traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. It does not record what NumPy computes:
the result for the example inputs is a constant of the trace.

```text
TracerWarning: Converting a tensor to a NumPy array might cause the trace to be incorrect
```

## Example

```python
import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(np.cumsum(x.numpy(), 0))


inputs = (torch.ones(3),)
other_inputs = (torch.arange(3.0),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cumsum(x, 0)


inputs = (torch.ones(3),)
other_inputs = (torch.arange(3.0),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

No fix: functions of torch may have other names and arguments.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.tracing import TraceNumpy

RULE = Rule(
    code="TS708",
    name="traced-tensor-to-numpy",
    events=(TraceNumpy,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


def check(match: Match[TraceNumpy]) -> Iterator[Finding]:
    """Report the call whose result becomes a constant."""
    yield match.finding(
        f"{match.event_text} becomes a constant of the trace: the tracer does not record NumPy",
        help="Use the function of torch with the same effect; many have the same name as in NumPy.",
    )
