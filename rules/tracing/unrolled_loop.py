"""# A loop over an input in traced code

## What it does

Finds loops and comprehensions whose number of iterations depends on an input: over a tensor, `range(x.shape[0])`,
`x.split(2)`, `x.unbind()` or a list of tensors, in code that is traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. The loop is unrolled: the trace has as
many iterations as the example inputs need. If the loop is over `range(x.shape[0])`, the trace ignores the rest of
longer inputs, and fails for shorter ones. If the loop is over a tensor, a list, or the result of `split` or `unbind`,
the trace fails for every other length.

```text
RuntimeError: Expected 2 elements in a list but found 4
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        total = torch.zeros(3)
        for row in x:
            total = total * 0.5 + row
        return total


inputs = (torch.ones(2, 3),)
other_inputs = (torch.ones(4, 3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn


@torch.jit.script_if_tracing
def decayed(x: torch.Tensor) -> torch.Tensor:
    total = torch.zeros(3)
    for row in x:
        total = total * 0.5 + row
    return total


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return decayed(x)


inputs = (torch.ones(2, 3),)
other_inputs = (torch.ones(4, 3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

No fix: move the loop into a compiled function, which keeps it, or use one operator on the whole tensor, which is
faster.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.tracing import TraceLoop

RULE = Rule(
    code="TS709",
    name="traced-loop",
    events=(TraceLoop,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


def check(match: Match[TraceLoop]) -> Iterator[Finding]:
    """Report the loop, and what its number of iterations depends on."""
    what = "loop" if match.event.loop else "comprehension"
    yield match.finding(
        f"the {what} over {match.event_text} is unrolled: the trace keeps the number of iterations",
        help=f"This number depends on {match.event.why}. Use one operator on the whole tensor, or move "
        f"the {what} into a function under `@torch.jit.script_if_tracing`.",
    )
