"""# A call of a module that has no `forward`

## What it does

Finds calls of submodules whose class and base classes do not define `forward`.

## Why TorchScript rejects it

Such a module inherits the `forward` of `nn.Module`, which raises NotImplementedError in Python, and does not compile
because it takes `*input`. A module without `forward` is fine as long as it is never called.

```text
Compiled functions can't take variable number of arguments or use keyword-only arguments with defaults
```

## Example

```python
import torch
from torch import nn


class Body(nn.Module):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = Body()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x)
```

## Use instead

```python
import torch
from torch import nn


class Body(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = Body()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x)


inputs = (torch.rand(2),)
```

## Fix safety

No fix: only the author knows what the module computes.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import NoForward

RULE = Rule(code="TS429", name="no-forward", events=(NoForward,))


def check(match: Match[NoForward]) -> Iterator[Finding]:
    """Report the call of a module whose class has no ``forward``."""
    event = match.event
    yield match.finding(
        f"`{event.path}` is called, but `{event.class_name}` has no `forward`",
        help=f"Write `forward` in `{event.class_name}`, or call another method by its name.",
    )
