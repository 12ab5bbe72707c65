"""# `lambda` in compiled code

## What it does

Finds `lambda` expressions in code that `torch.jit.script` compiles, and lambdas that are handed to it.

## Why TorchScript rejects it

Functions are no values in TorchScript; they cannot be made, stored or passed on by compiled code.

```text
Lambda aren't supported
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shift = lambda t: t + 1
        return shift(x)
```

## Use instead

```python
import torch
from torch import nn


def shift(t: torch.Tensor) -> torch.Tensor:
    return t + 1


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return shift(x)


inputs = (torch.rand(3),)
```

## Fix safety

No fix: a function needs a name and types, which only the author can give.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.border import Match
from tslint.rule import Finding, Rule
from tslint.rules.syntax._common import at_keyword

RULE = Rule(code="TS104", name="lambda", events=("lambda",))


def check(match: Match) -> Iterator[Finding]:
    """Underline the keyword."""
    yield at_keyword(
        match,
        "lambda",
        "`lambda` cannot be compiled: functions are no values in TorchScript",
        "Write a function with `def` at module level, or a method, and call it by name.",
    )
