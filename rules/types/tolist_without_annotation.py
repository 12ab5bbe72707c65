"""# tolist() without a type

## What it does

Finds `x.tolist()` whose result is not assigned to an annotated variable.

## Why TorchScript rejects it

What `tolist` returns depends on the Tensor's dtype and number of dimensions, which are no part of its type. So it has
to be said.

```text
Expected type hint for result of tolist()
```

## Example

```python
import torch


def values(x: torch.Tensor):
    found = x.tolist()
    return found


scripted = torch.jit.script(values)
```

## Use instead

```python
from typing import List

import torch


def values(x: torch.Tensor):
    found: List[float] = x.tolist()
    return found


scripted = torch.jit.script(values)
inputs = (torch.rand(3),)
```

## Fix safety

The fix is for display: only you know whether it is a `List[int]`, a `List[float]` or a list of lists.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Fix
from tslint.rule import Finding, Rule, display
from tslint.rules.types._common import parent, place, quote

RULE = Rule(code="TS328", name="tolist-without-annotation", events=("tolist-without-annotation",))


def check(match: Match) -> Iterator[Finding]:
    """Show where the annotation goes."""
    node = match.event.node
    around = parent(match, node)
    fix: Fix | None = None
    if isinstance(around, ast.Assign) and len(around.targets) == 1 and isinstance(around.targets[0], ast.Name):
        _, end = place(match, around.targets[0])
        fix = display("Annotate the variable", match.insert(end, ": List[…]"))
    yield match.finding(
        f"TorchScript does not know what {quote(match, node)} holds",
        help="Assign it to an annotated variable: `values: List[float] = x.tolist()`, with the nesting that it has.",
        fix=fix,
    )
