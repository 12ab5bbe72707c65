"""# `with` after an early `return`

## What it does

Finds `with` blocks after an `if` of which only one branch leaves the function or a loop (`return`, `break` or
`continue`). The rule reports the block if it returns a value, or if a value that it computes is used after the block.
In the second case, the `if` may also be inside the block.

## Why TorchScript rejects it

The compiler copies everything after such an `if` into its other branch. It then cannot find the values that a `with`
block in the copied code has computed, and crashes. Its message names neither a line nor a function:

```text
outputs_[i]->uses().empty() INTERNAL ASSERT FAILED
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() == 1:
            return x
        with torch.no_grad():
            scale = x.max()
        return x / scale
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() == 1:
            return x
        else:
            with torch.no_grad():
                scale = x.max()
            return x / scale


inputs = (torch.rand(2, 3),)
```

## Fix safety

No fix: all code after the `if` would have to be indented.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.types import WithAfterExit

RULE = Rule(code="TS345", name="with-after-exit", events=(WithAfterExit,))


def check(match: Match[WithAfterExit]) -> Iterator[Finding]:
    """Report the ``with``, and the ``if`` because of which the compiler moves it."""
    event = match.event
    row = match.file.place(event.left)[0].row
    value = f"`{event.name}`" if event.name else "the returned value"
    yield match.finding(
        f"TorchScript crashes: this `with` sets {value} after the `{event.exit}` in the `if` on line {row}",
        help=f"Move all code after the `if` on line {row} into its `else`.",
    )
