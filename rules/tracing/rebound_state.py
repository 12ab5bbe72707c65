"""# State that is assigned in traced code

## What it does

Finds assignments to attributes of `self` in code that is traced: `self.buf = self.buf + 1`, and `self.count += 1` if
`count` is a number.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. Assignments to attributes are not
operators. The trace computes the new value but does not store it, so that every call starts with the old one. In-place
operations of tensors, such as `self.buf += 1`, are recorded.

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

No fix: changing a tensor in place also changes it for everything else that uses it.
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
    """Report an assignment that the trace does not record."""
    event = match.event
    name = f"`self.{event.attribute}`"
    help_ = f"Change {name} in place, with `.copy_(...)` or `.add_(...)`; or pass it as an input, and return it."
    if event.number:
        help_ = f"Make {name} a buffer and change it in place, or count outside the model."
    yield match.finding(
        f"the trace does not store the new value of {name}: each call starts with the old one",
        help=help_,
    )
