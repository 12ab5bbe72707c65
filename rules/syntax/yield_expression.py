"""# Generator in compiled code

## What it does

Finds `yield` and `yield from` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

TorchScript has no generators: a compiled function returns once.

```text
Yield aren't supported
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        for i in range(3):
            yield x + i
```

## Use instead

```python
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> List[torch.Tensor]:
        steps: List[torch.Tensor] = []
        for i in range(3):
            steps.append(x + i)
        return steps


inputs = (torch.rand(3),)
```

## Fix safety

No fix: callers would get a list instead of an iterator.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.syntax import Yield

RULE = Rule(code="TS109", name="yield", events=(Yield,))


def check(match: Match[Yield]) -> Iterator[Finding]:
    """Report the expression at its keyword."""
    yield match.finding(
        "`yield` cannot be compiled: TorchScript has no generators",
        help="Collect the values in a list and return it.",
        keyword="yield",
    )
