"""# A constant of a type that constants cannot have

## What it does

Finds attributes that are declared `Final` or listed in `__constants__` and are a set, a dict or an object of a class.

## Why TorchScript rejects it

Constants are bools, ints, floats, strings, None, devices, dtypes, layouts, and lists and tuples of them.

```text
'dict' object in attribute 'Net.sizes' is not a valid constant.
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    __constants__ = ["sizes"]

    def __init__(self):
        super().__init__()
        self.sizes = {"a": 1}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.sizes = {"a": 1}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.sizes["a"]


inputs = (torch.rand(2),)
```

## Fix safety

No fix: only the author knows whether the attribute has to be a constant.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import InvalidConstant

RULE = Rule(code="TS423", name="invalid-constant", events=(InvalidConstant,))


def check(match: Match[InvalidConstant]) -> Iterator[Finding]:
    """Report a constant of a type that constants cannot have."""
    event = match.event
    article = "an" if event.spelled[0] in "aeiouAEIOU" else "a"
    yield match.finding(
        f"`self.{event.attribute}` is declared a constant, but {article} {event.spelled} cannot be a constant",
        help=f"Remove `{event.attribute}` from `__constants__` (or the `Final` from its annotation)"
        + (", or store a tuple." if event.spelled == "list" else "."),
    )
