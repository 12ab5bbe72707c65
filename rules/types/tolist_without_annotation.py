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

`torch.tensor(x.shape).tolist()` is `list(x.shape)`: *safe*. Compiled code gets the lengths for `pack_padded_sequence`
as a tensor on the CPU, and Python its list: *safe*, too. Else the fix is for display: only you know whether it is a
`List[int]`, a `List[float]` or a list of lists.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Fix
from tslint.rewrite.tolist import tolist_fix
from tslint.rewrite.type_wording import parent, place, quote
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, display

RULE = Rule(code="TS328", name="tolist-without-annotation", events=("tolist-without-annotation",))


def check(match: Match) -> Iterator[Finding]:
    """Show where the annotation goes."""
    node = match.event.node
    around = parent(match, node)
    fix: Fix | None = tolist_fix(match, node)
    target = around.targets[0] if isinstance(around, ast.Assign) and len(around.targets) == 1 else None
    if fix is None and isinstance(target, ast.Name):
        _, end = place(match, target)
        fix = display("Annotate the variable", match.insert(end, ": List[…]"))
    yield match.finding(
        f"TorchScript does not know what {quote(match, node)} holds",
        help="Assign it to an annotated variable: `values: List[float] = x.tolist()`, with the nesting that it has.",
        fix=fix,
    )
