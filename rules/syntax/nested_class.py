"""# Class defined inside compiled code

## What it does

Finds `class` statements inside functions that `torch.jit.script` compiles.

## Why TorchScript rejects it

Classes are compiled once, from their definition at module level; compiled code cannot create classes.

```text
class definitions aren't supported
```

## Example

```python
import torch


def area(x: torch.Tensor) -> torch.Tensor:
    class Pair:
        def __init__(self, left: torch.Tensor, right: torch.Tensor):
            self.left = left
            self.right = right

    pair = Pair(x, x + 1)
    return pair.left * pair.right


scripted = torch.jit.script(area)
```

## Use instead

```python
from typing import NamedTuple

import torch


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


def area(x: torch.Tensor) -> torch.Tensor:
    pair = Pair(x, x + 1)
    return pair.left * pair.right


scripted = torch.jit.script(area)
inputs = (torch.rand(3),)
```

## Fix safety

No fix: TorchScript must also be able to compile the class at module level.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.syntax import NestedClass

RULE = Rule(code="TS103", name="nested-class", events=(NestedClass,))


def check(match: Match[NestedClass]) -> Iterator[Finding]:
    """Report the class at its keyword."""
    yield match.finding(
        f"`{match.event.name}` is defined inside compiled code: TorchScript cannot create classes",
        help=f"Move `{match.event.name}` to module level, as a `NamedTuple` or a class that TorchScript can compile.",
        keyword="class",
    )
