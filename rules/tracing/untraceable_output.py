"""# An output that cannot be traced

## What it does

Finds `return` statements of traced functions that return a dict (without `strict=False`), None, or Python numbers and
strings.

## Why TorchScript rejects it

A trace can only return tensors, and tuples and lists of tensors. `strict=False` also allows dicts.

```text
RuntimeError: Only tensors, lists, tuples of tensors, or dictionary of tensors can be output from traced functions
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x * 2, None


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
        return x * 2


inputs = (torch.ones(2),)
other_inputs = (torch.ones(3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

No fix: callers rely on the returned value. For tracing, write a wrapper module that returns only the tensors.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import short
from tslint.script.events.tracing import TraceOutput

RULE = Rule(
    code="TS716",
    name="untraceable-output",
    events=(TraceOutput,),
    severity=Severity.ERROR,
    stage=Stage.TRACE,
)


def check(match: Match[TraceOutput]) -> Iterator[Finding]:
    """Report an output that a traced model cannot return, and say what to return instead."""
    event = match.event
    severity = Severity.ERROR if event.sure else Severity.WARNING
    if event.what == "dict":
        yield match.finding(
            f"a traced model cannot return the dict {short(event.text)}",
            help="If all values are tensors, pass `strict=False` to `torch.jit.trace`. Otherwise, return only tensors.",
            severity=severity,
        )
        return
    where = "among the outputs" if event.inside else "as the output"
    yield match.finding(
        f"{short(event.text)} {where} cannot be traced: a traced model only returns tensors",
        help="Return only tensors, or trace a wrapper module that returns only tensors.",
        severity=severity,
    )
