"""# A branch on a shape in traced code

## What it does

Finds conditions that depend on the shape of an input, in code that is traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. The trace contains only the branch for
the shape of the example inputs, and uses it for every shape.

```text
TracerWarning: Converting a tensor to a Python boolean might cause the trace to be incorrect
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.shape[0] > 2:
            x = x[:2]
        return x * 2


inputs = (torch.ones(2, 3),)
other_inputs = (torch.ones(4, 3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x[:2] * 2


inputs = (torch.ones(2, 3),)
other_inputs = (torch.ones(4, 3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

No fix: write the code without the branch, or move the branch into a function under `@torch.jit.script_if_tracing`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rewrite.trace_wording import deciding, part
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.tracing import TraceShapeCondition

RULE = Rule(
    code="TS702",
    name="traced-shape-condition",
    events=(TraceShapeCondition,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


def check(match: Match[TraceShapeCondition]) -> Iterator[Finding]:
    """Report the condition whose result the trace keeps."""
    yield match.finding(
        f"the trace keeps the result of {match.event_text}: this {deciding(match)} ignores other shapes",
        help=f"Write the code without the {part(match)} (slices, `clamp`), or move the {part(match)} into a function "
        "under `@torch.jit.script_if_tracing`. If the shape never changes, suppress this finding.",
    )
