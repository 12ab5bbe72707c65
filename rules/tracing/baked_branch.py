"""# A branch on rank, device or dtype in traced code

## What it does

Finds conditions on `x.dim()`, `len(x.shape)`, `x.device`, `x.is_cuda` or `x.dtype` in code that is traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. These conditions are Python code, which
the tracer does not record. The trace contains only the branch for the example inputs, and the tracer does not warn.

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() == 1:
            x = x.unsqueeze(0)
        return x.sum(1)


inputs = (torch.ones(3),)
other_inputs = (torch.ones(2, 3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn


@torch.jit.script_if_tracing
def batched(x: torch.Tensor) -> torch.Tensor:
    if x.dim() == 1:
        x = x.unsqueeze(0)
    return x


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return batched(x).sum(1)


inputs = (torch.ones(3),)
other_inputs = (torch.ones(2, 3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

No fix: the branch belongs in a function under `@torch.jit.script_if_tracing`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.tracing import TraceBakedBranch

RULE = Rule(
    code="TS703",
    name="traced-rank-or-device-branch",
    events=(TraceBakedBranch,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


_WHAT = {"rank": "number of dimensions", "device": "device", "dtype": "dtype"}


def check(match: Match[TraceBakedBranch]) -> Iterator[Finding]:
    """Report the condition whose result the trace keeps."""
    what = _WHAT[match.event.what]
    yield match.finding(
        f"the trace keeps the result of {match.event_text}, also for inputs with another {what}",
        help="Move the branch into a function under `@torch.jit.script_if_tracing`, or trace one model for each case.",
    )
