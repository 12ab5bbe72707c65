"""# State that is assigned in traced code

## What it does

Finds assignments to attributes of `self` (`self.buf = self.buf + 1`, `self.count += 1`) in code that is traced.

## Why TorchScript rejects it

It does not: the tracer runs the code once and records the operators. Assignments to attributes are no operators: the
trace computes the new value and forgets it, and every call begins with the old one. What is done in place is
recorded.

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.seen = self.seen + 1
        return x * self.seen


inputs = (torch.ones(2),)
other_inputs = (torch.ones(3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.seen.add_(1)
        return x * self.seen


inputs = (torch.ones(2),)
other_inputs = (torch.ones(3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

No fix: changing a tensor in place also changes it for whoever else holds it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.tracing import TraceReboundState

RULE = Rule(
    code="TS713",
    name="traced-rebound-state",
    events=(TraceReboundState,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


def check(match: Match[TraceReboundState]) -> Iterator[Finding]:
    """Name the attribute."""
    event = match.event
    name = f"`self.{event.attribute}`"
    help_ = f"Change it in place (`{name.strip('`')}.copy_(...)`, `.add_(...)`), or take it as an input and return it."
    if event.number:
        help_ = f"Make {name} a buffer and change it in place, or count outside of the model."
    yield match.finding(
        f"the new value of {name} is lost in the trace: each call of the traced model begins with the old one",
        help=help_,
    )
