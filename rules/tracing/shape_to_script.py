"""# A size that traced code passes to a compiled function

## What it does

Finds calls of compiled functions that take a size of an input (`x.shape[0]`) as an `int` or `float`, in code that is
traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. The trace contains the compiled
function, but the value of its `int` argument is a constant of the trace. The tracer does not warn.

## Example

```python
import torch
from torch import nn


@torch.jit.script
def scaled(x: torch.Tensor, n: int) -> torch.Tensor:
    return x / n


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return scaled(x, x.shape[0])


inputs = (torch.ones(2, 3),)
other_inputs = (torch.ones(4, 3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn


@torch.jit.script
def scaled(x: torch.Tensor) -> torch.Tensor:
    return x / x.shape[0]


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return scaled(x)


inputs = (torch.ones(2, 3),)
other_inputs = (torch.ones(4, 3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

No fix: pass the tensor, and read its shape inside the function.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.tracing import TraceShapeToScript

RULE = Rule(
    code="TS717",
    name="traced-shape-to-script",
    events=(TraceShapeToScript,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


def check(match: Match[TraceShapeToScript]) -> Iterator[Finding]:
    """Report the size that becomes a constant, and the parameter that gets it."""
    event = match.event
    yield match.finding(
        f"{match.event_text} becomes a constant of the trace: it is the argument `{event.parameter}` of the compiled "
        f"`{event.function}`",
        help=f"Pass the tensor to `{event.function}`, and read the shape inside it.",
    )
