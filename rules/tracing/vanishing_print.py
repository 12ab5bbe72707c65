"""# `print` in traced code

## What it does

Finds `print` in code that is traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. `print` runs while tracing and never
again: the trace does not contain it.

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("sum", x.sum())
        return x * 2


inputs = (torch.ones(2),)
other_inputs = (torch.ones(3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


inputs = (torch.ones(2),)
other_inputs = (torch.ones(3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

No fix: print outside the model, or compile the function that prints.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.tracing import TracePrint

RULE = Rule(
    code="TS714",
    name="traced-print",
    events=(TracePrint,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


def check(match: Match[TracePrint]) -> Iterator[Finding]:
    """Report a ``print`` that the trace does not contain."""
    yield match.finding(
        f"{match.event_text} prints only while tracing: the trace does not contain it",
        help="Print outside the model, or in a function under `@torch.jit.script_if_tracing`.",
    )
