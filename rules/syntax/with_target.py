"""# `with … as` a target that is not a variable

## What it does

Finds `with … as (a, b)`, `with … as self.x` and the like in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Only a plain variable can follow `as`. For anything else, the compiler crashes with a `TypeError`:

```text
__init__(): incompatible constructor arguments. The following argument types are supported
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.guard = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad() as self.guard:
            return x * 2
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            return x * 2


inputs = (torch.rand(3),)
```

If you need the value, bind it to a variable, and unpack or store it inside the block.

## Fix safety

No fix: only the author can choose a variable name.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.syntax import WithTarget

RULE = Rule(code="TS133", name="with-target", events=(WithTarget,))


def check(match: Match[WithTarget]) -> Iterator[Finding]:
    """Report the context manager, which the compiler underlines."""
    target = match.code(match.libcst(match.event.target))
    yield match.finding(
        f"`with … as {target}` cannot be compiled: only a plain variable can follow `as`",
        help="Write `as value`, and unpack or store `value` inside the block.",
    )
