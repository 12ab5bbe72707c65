"""# Dataclass without `@torch.jit.script`

## What it does

Finds dataclasses that compiled code uses, but that have no decorator `@torch.jit.script`.

## Why TorchScript rejects it

`@dataclass` generates methods that have no source. The decorator `@torch.jit.script` generates the source of these
methods itself. Without `@torch.jit.script`, the compiler reads the dataclass like any other class.

```text
Failed to get source for <function
```

## Example

```python
from dataclasses import dataclass

import torch


@dataclass
class Point:
    a: torch.Tensor
    b: int = 3


def shift(x: torch.Tensor) -> torch.Tensor:
    return Point(x).a + 1


scripted = torch.jit.script(shift)
```

## Use instead

Decorate the class, or make it a `NamedTuple`:

```python
from dataclasses import dataclass

import torch


@torch.jit.script
@dataclass
class Point:
    a: torch.Tensor
    b: int = 3


def shift(x: torch.Tensor) -> torch.Tensor:
    return Point(x).a + 1


scripted = torch.jit.script(shift)
inputs = (torch.rand(2),)
```

## Fix safety

No fix: decorating the class compiles it when it is imported, and only the author can decide that.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.types import Dataclass

RULE = Rule(code="TS332", name="unscripted-dataclass", events=(Dataclass,))


def check(match: Match[Dataclass]) -> Iterator[Finding]:
    """Report the use of a dataclass that is not scripted."""
    name = match.event.name
    yield match.finding(
        f"`{name}` is a dataclass: its generated methods have no source to compile",
        help=f"Put `@torch.jit.script` above `@dataclass` on `{name}`, or make it a `NamedTuple`.",
    )
