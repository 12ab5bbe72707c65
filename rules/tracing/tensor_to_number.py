"""# A Python number taken from a tensor in traced code

## What it does

Finds `int()`, `float()`, `bool()`, `.item()`, `.tolist()` and `math` functions of tensors in code that is traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. A Python number is a constant of the
trace: the number for the example inputs is used for all inputs.

```text
TracerWarning: Converting a tensor to a Python number might cause the trace to be incorrect
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x / x.max().item()


inputs = (torch.ones(3),)
other_inputs = (torch.arange(1.0, 4.0),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x / x.max()


inputs = (torch.ones(3),)
other_inputs = (torch.arange(1.0, 4.0),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

No fix: a tensor cannot replace a number everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.tracing import TraceNumber

RULE = Rule(
    code="TS706",
    name="traced-tensor-to-number",
    events=(TraceNumber,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


def check(match: Match[TraceNumber]) -> Iterator[Finding]:
    """Report the number that becomes a constant."""
    yield match.finding(
        f"{match.event_text} becomes a constant of the trace: its value for the example inputs",
        help="Compute with the tensor itself, or move this into a function under `@torch.jit.script_if_tracing`.",
    )
