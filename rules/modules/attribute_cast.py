"""# Attribute whose value does not match its declaration in the class body

## What it does

Finds attributes that `__init__` sets to a value of another type than the class body declares.

## Why TorchScript rejects it

The compiler converts each attribute to its declared type before it compiles any method. It accepts an int for a float,
and None only for `Optional`.

```text
Could not cast attribute 'size' to type int: Unable to cast Python instance of type <class 'NoneType'>
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    size: int

    def __init__(self):
        super().__init__()
        self.size = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x
```

## Use instead

```python
from typing import Optional

import torch
from torch import nn


class Net(nn.Module):
    size: Optional[int]

    def __init__(self):
        super().__init__()
        self.size = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


inputs = (torch.rand(2),)
```

## Fix safety

No fix: only the author knows whether the annotation or the value is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import said
from tslint.script.events.modules import AttributeCast

RULE = Rule(code="TS422", name="attribute-cast", events=(AttributeCast,))


def check(match: Match[AttributeCast]) -> Iterator[Finding]:
    """Report the attribute, with its declared type and the value that ``__init__`` sets."""
    event = match.event
    attribute, wanted = event.attribute, event.wanted
    given, way = f"a value of type {event.spelled}", f"Change the annotation of `{attribute}`"
    if event.spelled == "NoneType":
        given, way = "None", f"Declare `{attribute}: Optional[{wanted}]`"
    yield match.finding(
        f"`{attribute}` is declared as {said(wanted)}, but `__init__` sets it to {given}",
        help=f"{way}, or assign a value of type {said(wanted)}.",
    )
