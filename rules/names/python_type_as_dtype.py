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

from tslint.rewrite.not_values import DTYPES, is_dtype
from tslint.rewrite.statements import meant, parent, quote, replace
from tslint.rewrite.when_compiled import is_local
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS223", name="python-type-as-dtype", events=("not-a-value",))

_METHODS = frozenset(
    "to sum mean prod cumsum cumprod softmax log_softmax new_zeros new_ones new_full new_empty".split()
)


def check(match: Match) -> Iterator[Finding]:
    """Of the values that are none, types as dtypes."""
    if not is_dtype(match):
        return
    torch, imports = match.imported("torch")
    text = f"{torch}.{DTYPES[match.event.facts['name']]}"
    yield match.finding(
        f"{quote(match, match.event.node)} is a Python class: compiled code cannot take it for a dtype",
        help=f"Write `{text}`.",
        fix=safe(f"Write `{text}`", replace(match, match.event.node, text), *imports) if _of_torch(match) else None,
    )


def _of_torch(match: Match) -> bool:
    """Whether torch itself is called: a function of the author's may ask which of the two it got."""
    around = parent(match, match.event.node)
    call = parent(match, around) if around is not None else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return False
    root: ast.expr = call.func
    while isinstance(root, ast.Attribute):
        root = root.value
    if isinstance(root, ast.Name) and meant(match.file.tree).get(root.id, root.id).partition(".")[0] == "torch":
        return not is_local(match, root.id)
    return call.func.attr in _METHODS
