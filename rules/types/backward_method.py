"""# `backward` without `@staticmethod`

## What it does

Finds uses of a `torch.autograd.Function` whose `backward` is not marked `@staticmethod`.

## Why TorchScript rejects it

The compiler compiles all methods of the class that are not static. If `backward` is one of them, the compiler also
compiles the inherited `vjp`, which has `*grad_outputs`.

```text
Compiled functions can't take variable number of arguments or use keyword-only arguments with defaults
```

## Example

```python
import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @classmethod
    def backward(cls, ctx, grad):
        return grad * 2


@torch.jit.script
def double(x):
    return Double.apply(x)


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


@torch.jit.script
def double(x):
    return Double.apply(x)


inputs = (torch.rand(3),)
```

## Fix safety

No fix: the method may use the class that it is called on.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.types import BackwardMethod

RULE = Rule(code="TS344", name="backward-method", events=(BackwardMethod,))


def check(match: Match[BackwardMethod]) -> Iterator[Finding]:
    """Report the use of the class."""
    name = match.event.name
    yield match.finding(
        f"`{name}.backward` is not static, so TorchScript cannot compile the class",
        help=f"Mark `forward` and `backward` with `@staticmethod`, with `ctx` first, and call `{name}.apply(…)`.",
    )
