"""# Variable of a module that gets another value

## What it does

Finds variables that hold a module (`layer` in `for layer in self.layers`, or `block = self.block`) and later get a
tensor or another value in the same block, in code that `torch.jit.script` compiles.

## What goes wrong

TorchScript accepts it, but ignores the assignment, so that the name still means the module: the compiler stores modules
and values separately, and looks up modules first. Compiled code then computes a different result, or the compiler
reports an error about a module where the code uses a value.

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        for layer in self.layers[:1]:
            x = layer.forward(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        for first in self.layers[:1]:
            x = first.forward(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Fix safety

No fix: only the author knows which of the later uses mean the module, and which the value.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import ReboundModuleName

RULE = Rule(code="TS611", name="rebound-module-name", events=(ReboundModuleName,), severity=Severity.WARNING)


def check(match: Match[ReboundModuleName]) -> Iterator[Finding]:
    """Report an assignment that the compiler ignores, and the module that the name still means."""
    name, path = match.event.name, match.event.path
    yield match.finding(
        f"`{name}` is already the module `{path}`: TorchScript ignores this assignment",
        help=f"Use another name than `{name}` for one of the two.",
    )
