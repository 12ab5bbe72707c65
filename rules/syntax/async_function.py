"""# Asynchronous function in compiled code

## What it does

Finds `async def` functions in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The compiler supports only plain functions. For concurrency inside a compiled model, use `torch.jit.fork` and
`torch.jit.wait`.

```text
Expected a single top-level function
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    async def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1


inputs = (torch.rand(3),)
```

## Fix safety

No fix: every caller awaits the function.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.syntax import AsyncConstruct, AsyncFunction

RULE = Rule(code="TS108", name="async-function", events=(AsyncFunction, AsyncConstruct))


def check(match: Match[AsyncFunction | AsyncConstruct]) -> Iterator[Finding]:
    """Report the function or statement at its keyword."""
    event = match.event
    what, instead, keyword = "this is asynchronous code", "a plain statement", "async"
    if isinstance(event, AsyncFunction):
        what, instead, keyword = f"`{event.name}` is asynchronous", f"`def {event.name}`", "async def"
    yield match.finding(
        f"{what}: TorchScript compiles plain functions only",
        help=f"Write {instead}; to run tasks in parallel, use `torch.jit.fork` and `torch.jit.wait`.",
        keyword=keyword,
    )
