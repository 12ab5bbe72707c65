"""# Name of a module that is assigned a value

## What it does

Finds names that stand for a module (`layer` of `for layer in self.layers`, or `block = self.block`) and are assigned a
tensor or another value in the same block later on, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

It does not, and goes wrong: the compiler keeps modules apart from values, and looks among the modules first. The name
goes on standing for the module, and the assignment is lost. Where the module can be used in the value's place the
compiled code computes something else than Python, without a word; elsewhere the compiler complains of a module where
there seems to be none.

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

No fix: which of the later uses mean the module, and which the value, is the author's to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import ReboundModuleName

RULE = Rule(code="TS611", name="rebound-module-name", events=(ReboundModuleName,), severity=Severity.WARNING)


def check(match: Match[ReboundModuleName]) -> Iterator[Finding]:
    """Say what the name goes on to mean."""
    name, path = match.event.name, match.event.path
    yield match.finding(
        f"`{name}` stands for the module `{path}` already: TorchScript loses this assignment, and `{name}` goes on to"
        " mean the module",
        help=f"Take another name than `{name}` for one of the two.",
    )
