"""# An `assert` about inputs in traced code

## What it does

Finds `assert` statements about the values, shapes, device or dtype of inputs, in code that is traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. The assertion is checked only while
tracing. The trace does not contain it, so the traced model accepts any input.

```text
TracerWarning: Converting a tensor to a Python boolean might cause the trace to be incorrect
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        assert x.shape[0] == 2, "two rows"
        return x * 2


inputs = (torch.ones(2, 3),)
other_inputs = (torch.ones(4, 3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn


@torch.jit.script_if_tracing
def checked(x: torch.Tensor) -> torch.Tensor:
    assert x.shape[0] == 2, "two rows"
    return x


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return checked(x) * 2


inputs = (torch.ones(2, 3),)
other_inputs = (torch.ones(4, 3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

No fix: if the traced model should check its inputs, move the assertion into a compiled function, which keeps it.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.tracing import TraceAssert

RULE = Rule(
    code="TS704",
    name="traced-assert",
    events=(TraceAssert,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


def check(match: Match[TraceAssert]) -> Iterator[Finding]:
    """Report an assertion that the trace does not contain."""
    assert isinstance(match.node, cst.Assert)
    yield match.finding(
        f"`assert` of {match.quote(match.node.test)} is checked only while tracing: the traced model accepts any input",
        help="Move the `assert` into a function under `@torch.jit.script_if_tracing`, or check before the call.",
    )
