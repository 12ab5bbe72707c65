"""# Python type given as a dtype

## What it does

Finds `dtype=int`, `dtype=float` and `dtype=bool` in compiled code.

## Why TorchScript rejects it

torch takes Python's number types for dtypes, but in compiled code classes are no values.

```text
__int__ cannot be used as a value
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.ones(3, dtype=int)


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.ones(3, dtype=torch.int64)


inputs = (torch.rand(3),)
```

## Fix safety

Writing the dtype that torch takes for the type (`int64`, `float64`, `bool`) is *safe*.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.rule import Finding, Rule, safe
from tslint.rules.names._common import parent, quote, replace

RULE = Rule(code="TS223", name="python-type-as-dtype", events=("not-a-value",))

_DTYPES = {"builtins.int": "int64", "builtins.float": "float64", "builtins.bool": "bool"}


def is_dtype(match: Match) -> bool:
    """Whether the event is about a number type that is given as ``dtype=``."""
    around = parent(match, match.event.node)
    return match.event.facts["name"] in _DTYPES and isinstance(around, ast.keyword) and around.arg == "dtype"


def check(match: Match) -> Iterator[Finding]:
    """Of the values that are none, types as dtypes."""
    if not is_dtype(match):
        return
    torch, imports = match.imported("torch")
    text = f"{torch}.{_DTYPES[match.event.facts['name']]}"
    yield match.finding(
        f"{quote(match, match.event.node)} is a Python class: compiled code cannot take it for a dtype",
        help=f"Write `{text}`.",
        fix=safe(f"Write `{text}`", replace(match, match.event.node, text), *imports),
    )
