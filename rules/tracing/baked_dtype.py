"""# A dtype that the trace keeps

## What it does

Finds `dtype=x.dtype`, `y.to(x.dtype)` and `torch.finfo(x.dtype)` in code that is traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. A dtype is a constant of the trace. A
model that was traced in single precision still creates `float32` tensors after `.half()`.

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros(2, dtype=x.dtype)


inputs = (torch.ones(2),)
other_inputs = (torch.ones(2, dtype=torch.float64),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros(2).type_as(x)


inputs = (torch.ones(2),)
other_inputs = (torch.ones(2, dtype=torch.float64),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

No fix: `type_as`, `zeros_like` and `new_zeros` also use the device, which may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rewrite.trace_casts import cast_like
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.tracing import TraceDtype

RULE = Rule(
    code="TS711",
    name="traced-dtype",
    events=(TraceDtype,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


_INSTEAD = {
    "finfo": "Use a number that fits every dtype, or compute it in a function under `@torch.jit.script_if_tracing`.",
    "to": "Write {}, which the trace records.",
}
_OTHERWISE = "Use `x.new_zeros(...)`, `torch.zeros_like(x)` or `.type_as(x)`: the trace records these."


def check(match: Match[TraceDtype]) -> Iterator[Finding]:
    """Report the expression whose dtype becomes a constant."""
    form = match.event.form
    yield match.finding(
        f"the trace always runs {match.event_text} with the dtype of the example inputs",
        help=_INSTEAD.get(form, _OTHERWISE).format(cast_like(match)),
    )
