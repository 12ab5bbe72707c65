"""# Setting an attribute of a function

## What it does

Finds `f.count = …` where `f` is a function or method.

## Why TorchScript rejects it

Compiled code can only call functions; they have no attributes.

```text
attribute assignment is not defined on function
```

## Example

```python
import torch


def scale(x: torch.Tensor) -> torch.Tensor:
    scale.calls = 1
    return x * 2


scripted = torch.jit.script(scale)
```

## Use instead

```python
import torch
from torch import nn


class Scale(nn.Module):
    calls: int

    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls = self.calls + 1
        return x * 2


inputs = (torch.rand(2),)
```

## Fix safety

No fix: only the author knows where to store the state.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.types import SetFunctionAttribute

RULE = Rule(code="TS334", name="set-function-attribute", events=(SetFunctionAttribute,))


def check(match: Match[SetFunctionAttribute]) -> Iterator[Finding]:
    """Report an assignment to an attribute of a function."""
    event = match.event
    yield match.finding(
        f"`{event.owner}` is a {event.what}: compiled code cannot set its `{event.attribute}`",
        help="Store state in an attribute of a module, or pass it in and return it.",
    )
