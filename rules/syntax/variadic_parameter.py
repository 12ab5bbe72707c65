"""# `*args` or `**kwargs` in a compiled function

## What it does

Finds `*args` and `**kwargs` in the signatures of functions that `torch.jit.script` compiles.

## Why TorchScript rejects it

A compiled function has a fixed number of parameters, each with a type.

```text
Compiled functions can't take variable number of arguments or use keyword-only arguments with defaults
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def _doubled(self, x: torch.Tensor, *rest: torch.Tensor) -> torch.Tensor:
        return x * 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self._doubled(x)


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def _doubled(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self._doubled(x)


inputs = (torch.rand(3),)
```

If the arguments are used, take a `List[Tensor]` (or a `Dict[str, Tensor]`), or write parameters with defaults.

## Fix safety

The fix removes `*args` or `**kwargs` if the function never reads it. If the function only passes it on (`self.fn(x,
**kwargs)`), the fix also removes it from those calls, unless a call in the file passes more arguments than the other
parameters accept. If `*args` is the only parameter, the fix replaces it by one parameter for each argument that callers
pass.

All this is *unsafe* for private functions and methods, and for a module that only this file creates and calls, because
calls in other files are not visible. For all other functions, the fix is only shown (*display*), because a caller that
passes more arguments would fail.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Position
from tslint.rewrite.fixed_signature import with_fixed_signature
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.syntax import VariadicParameter

RULE = Rule(code="TS115", name="variadic-parameter", events=(VariadicParameter,))


def check(match: Match[VariadicParameter]) -> Iterator[Finding]:
    """Report the parameter with its star, with a fix that removes it or names the arguments."""
    event = match.event
    start, end = match.file.span(match.event.span)
    instead = "a `List[Tensor]` parameter" if event.star == "*" else "a `Dict[str, Tensor]` parameter"
    name = f"{event.star}{event.name}"
    yield Finding(
        f"`{name}` cannot be compiled: compiled functions have a fixed number of parameters",
        f"Name the parameters one by one, use {instead}, or remove `{name}` if no caller needs it.",
        with_fixed_signature(match),
        _star(match, start),
        end,
    )


def _star(match: Match[VariadicParameter], name: Position) -> Position:
    """Return the position of the star before a name; the name's own position if the star is on another row."""
    star = match.event.star
    before = match.source.lines[name.row - 1][: name.column - 1].rstrip(" \t\f")
    return Position(name.row, len(before) + 1 - len(star)) if before.endswith(star) else name
