"""# Python's or NumPy's random numbers in traced code

## What it does

Finds calls of `random` and `numpy.random` in code that is traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. A number that Python draws is a
constant of the trace, the same for every call. The check that `torch.jit.trace` makes at the end usually detects this.

```text
ERROR: Tensor-valued Constant nodes differed in value across invocations
```

## Example

```python
import random

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * random.random()


inputs = (torch.ones(2),)
other_inputs = (torch.ones(3),)


def export():
    return torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.rand(1)


inputs = (torch.ones(2),)
other_inputs = (torch.ones(3),)
traced = torch.jit.trace(Net().eval(), inputs, check_trace=False)
```

## Fix safety

No fix: torch's functions (`torch.rand`, `torch.randint`), which the trace runs at each call, draw other numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.tracing import TraceRandom

RULE = Rule(
    code="TS715",
    name="traced-python-random",
    events=(TraceRandom,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


def check(match: Match[TraceRandom]) -> Iterator[Finding]:
    """Report the call whose number becomes a constant."""
    yield match.finding(
        f"the number from {match.event_text} becomes a constant of the trace",
        help="Use `torch.rand(1)` or `torch.randint(...)`, which the trace runs at each call.",
    )
