"""# A module whose `__init__` does not call `super().__init__()`

## What it does

Finds classes of modules with an `__init__` that never calls the one of `nn.Module`.

## Why TorchScript rejects it

Without it, the module has no tables of parameters and submodules.

```text
has not been initialized, did you forget to call 'super()'?
```

## Example

```python
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        self.by = 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.by
```

## Use instead

```python
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.by = 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.by


inputs = (torch.rand(2),)
```

## Fix safety

No fix: arguments may have to be passed on.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import UninitializedModule

RULE = Rule(code="TS433", name="uninitialized-module", events=(UninitializedModule,))


def check(match: Match[UninitializedModule]) -> Iterator[Finding]:
    """Name the class."""
    yield match.finding(
        f"`{match.event.name}` never calls `super().__init__()`",
        help="Call it first in `__init__`.",
    )
