"""# An attribute of a compiled class that is first set inside an `if` or a loop

## What it does

Finds attributes that the `__init__` of a compiled class sets for the first time inside an `if`, a `for` or a
`while`.

## Why TorchScript rejects it

The compiler reads the attributes of the class from the top level of `__init__`, which runs for every instance. So each
attribute must first be set there.

```text
First assignment cannot be in a control-flow block. Initialize the field at the top level first
```

## Example

```python
import torch


class Limit:
    def __init__(self, value: int):
        if value > 0:
            self.value = value
        else:
            self.value = 1


def clip(x: torch.Tensor) -> torch.Tensor:
    return x.clamp(max=Limit(3).value)


scripted = torch.jit.script(clip)
```

## Use instead

```python
import torch


class Limit:
    def __init__(self, value: int):
        self.value = 1
        if value > 0:
            self.value = value


def clip(x: torch.Tensor) -> torch.Tensor:
    return x.clamp(max=Limit(3).value)


scripted = torch.jit.script(clip)
inputs = (torch.rand(2),)
```

## Fix safety

No fix: only the author knows the first value of the attribute.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.types import FirstAssignmentInControlFlow

RULE = Rule(code="TS333", name="first-assignment-in-control-flow", events=(FirstAssignmentInControlFlow,))


def check(match: Match[FirstAssignmentInControlFlow]) -> Iterator[Finding]:
    """Report an attribute that is first set inside an ``if`` or a loop."""
    attribute = match.event.attribute
    yield match.finding(
        f"`self.{attribute}` is set for the first time inside an `if` or a loop",
        help=f"Set `self.{attribute}` at the top level of `__init__` first, with a value of the same type.",
    )
