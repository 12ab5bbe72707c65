"""# A device that the trace keeps

## What it does

Finds `device=x.device`, `y.to(x.device)`, `y.to(x)` and `x.new_tensor(...)` in code that is traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. A device is a constant of the trace. A
model that was traced on the CPU still creates CPU tensors when it runs on the GPU, and neither `load(map_location=...)`
nor `.to()` changes that.

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.zeros(x.shape[0], device=x.device)


inputs = (torch.ones(2),)
other_inputs = (torch.ones(2, device="meta"),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + x.new_zeros(x.shape[0])


inputs = (torch.ones(2),)
other_inputs = (torch.ones(2, device="meta"),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

No fix: `x.new_zeros` also uses the dtype of `x`, which may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rewrite.trace_casts import cast_like
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.tracing import TraceDevice

RULE = Rule(
    code="TS710",
    name="traced-device",
    events=(TraceDevice,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


_INSTEAD = {
    "to-other": "Write {}, which the trace records.",
    "new_tensor": "Store the values in a buffer, or use `x.new_full`.",
    "to": "Store the tensor in a buffer, or use `x.new_zeros(...)`, `torch.zeros_like(x)` or {}.",
}
_OTHERWISE = "Use `x.new_zeros(...)`, `torch.zeros_like(x)` or a buffer, or script the function that needs the device."


def check(match: Match[TraceDevice]) -> Iterator[Finding]:
    """Report the expression whose device becomes a constant."""
    form = match.event.form
    what = "device and dtype" if form in ("to-other", "new_tensor") else "device"
    yield match.finding(
        f"the trace always runs {match.event_text} with the {what} of the example inputs",
        help=_INSTEAD.get(form, _OTHERWISE).format(cast_like(match)),
    )
