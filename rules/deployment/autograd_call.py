"""# `autograd.Function` in compiled code

## What it does

Finds `MyFunction.apply(...)` of a `torch.autograd.Function` in code that `torch.jit.script` compiles.

## What goes wrong

The compiler accepts the call, which runs in Python. An archive cannot contain such a call, so saving fails.

```text
Could not export Python function call 'Double'. Remove calls to Python functions before export.
```

## Example

```python
import torch
from torch import nn


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        return Double.apply(x)


inputs = (torch.ones(3),)
```

## Use instead

```python
import torch
from torch import nn


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        if torch.jit.is_scripting():
            return x * 2
        return Double.apply(x)


inputs = (torch.ones(3),)
```

The gradient of compiled code is then that of `x * 2`: `Double.backward` is not used.

## Fix safety

No fix: write the forward computation with plain operations, or as a custom operator.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import AutogradCall

RULE = Rule(code="TS805", name="autograd-call", events=(AutogradCall,), stage=Stage.SAVE)


def check(match: Match[AutogradCall]) -> Iterator[Finding]:
    """Report the call, which prevents saving."""
    name = match.event.name
    yield match.finding(
        f"`{name}` is an `autograd.Function`: a module that calls it cannot be saved",
        help=f"Under `if torch.jit.is_scripting():`, use torch functions that compute what `{name}.apply` computes, or "
        f"register `{name}` as a custom operator with `torch.library`.",
    )
