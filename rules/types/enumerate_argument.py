"""# Wrong arguments of `enumerate`

## What it does

Finds calls of `enumerate` without arguments, with more than two, or with another keyword than `start`.

## Why TorchScript rejects it

The compiler accepts one iterable and, optionally, `start`.

```text
enumerate expected kwarg name 'start', got 'begin'
```

## Example

```python
from typing import List

import torch


def total(x: torch.Tensor, values: List[int]) -> torch.Tensor:
    for i, value in enumerate(values, begin=1):
        x = x + i * value
    return x


scripted = torch.jit.script(total)
```

## Use instead

```python
from typing import List

import torch


def total(x: torch.Tensor, values: List[int]) -> torch.Tensor:
    for i, value in enumerate(values, start=1):
        x = x + i * value
    return x


scripted = torch.jit.script(total)
inputs = (torch.rand(2), [1, 2])
```

## Fix safety

No fix: only the author knows what was meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.types import EnumerateArgument

RULE = Rule(code="TS336", name="enumerate-argument", events=(EnumerateArgument,))


def check(match: Match[EnumerateArgument]) -> Iterator[Finding]:
    """Report a wrong argument, or a wrong number of arguments."""
    keyword, count = match.event.keyword, match.event.count
    said = f"no keyword `{keyword}`" if keyword else f"one or two arguments, not {count}"
    yield match.finding(f"`enumerate` takes {said}", help="Write `enumerate(values)` or `enumerate(values, start=1)`.")
