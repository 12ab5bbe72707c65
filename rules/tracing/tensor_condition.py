"""# A branch on a tensor's values in traced code

## What it does

Finds conditions (`if`, `while`, `a if c else b`, `and`, `or`, `not`, `max` and `min` of tensors) that depend on the
values of a tensor, in code that is traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. The trace contains only the branch for
the example inputs, and uses it for every input.

```text
TracerWarning: Converting a tensor to a Python boolean might cause the trace to be incorrect
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:
            return x
        return -x


inputs = (torch.ones(3),)
other_inputs = (-torch.ones(3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.where(x.sum() > 0, x, -x)


inputs = (torch.ones(3),)
other_inputs = (-torch.ones(3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

No fix: only the author can choose between `torch.where`, which computes both values, and a function under
`@torch.jit.script_if_tracing`, which keeps the branch.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rewrite.trace_wording import deciding, part
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.tracing import TraceCondition

RULE = Rule(
    code="TS701",
    name="traced-tensor-condition",
    events=(TraceCondition,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


def check(match: Match[TraceCondition]) -> Iterator[Finding]:
    """Report the condition whose result the trace keeps."""
    yield match.finding(
        f"the trace keeps the result of {match.event_text}: this {deciding(match)} ignores other inputs",
        help=f"Use `torch.where`, or move the {part(match)} into a function under `@torch.jit.script_if_tracing`.",
    )
