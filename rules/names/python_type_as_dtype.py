"""# Python type used as a dtype

## What it does

Finds `dtype=int`, `dtype=float` and `dtype=bool` in compiled code.

## Why TorchScript rejects it

torch accepts Python's number types as dtypes, but in compiled code classes are not values.

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

The fix writes the dtype that torch uses for the type (`int64`, `float64`, `bool`), which is *safe*.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.not_values import DTYPES, is_dtype
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import expression
from tslint.script.dataflow.names import full_name
from tslint.script.events.names import NotAValue

RULE = Rule(code="TS223", name="python-type-as-dtype", events=(NotAValue,))

_METHODS = frozenset(
    "to sum mean prod cumsum cumprod softmax log_softmax new_zeros new_ones new_full new_empty".split()
)


def check(match: Match[NotAValue]) -> Iterator[Finding]:
    """Report Python types that are passed as dtypes."""
    if not is_dtype(match):
        return
    torch, imports = match.imported("torch")
    dtype = f"{torch}.{DTYPES[match.event.name]}"
    fix = None
    if _of_torch(match):
        fix = safe(f"Write `{dtype}`", lambda: match.replace(match.node, expression(dtype)), *imports)
    yield match.finding(
        f"{match.event_text} is a Python class, which cannot be a dtype in compiled code",
        help=f"Write `{dtype}`.",
        fix=fix,
    )


def _of_torch(match: Match) -> bool:
    """Return whether torch is called: a function of the author's may treat a type and a dtype differently."""
    call = match.enclosing(cst.Call)
    if call is None or not isinstance(call.func, cst.Attribute):
        return False
    root: cst.BaseExpression = call.func
    while isinstance(root, cst.Attribute):
        root = root.value
    if isinstance(root, cst.Name) and full_name(match.file.tree, root.value).partition(".")[0] == "torch":
        return not match.binds(root.value)
    return call.func.attr.value in _METHODS
