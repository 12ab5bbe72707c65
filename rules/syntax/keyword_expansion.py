"""# `**` expansion in a call of compiled code

## What it does

Finds calls with `**kwargs` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Which argument goes to which parameter is decided when the code is compiled; the keys of a dict are not known then.

```text
keyword-arg expansion is not supported
```

## Example

```python
import torch


def total(x: torch.Tensor) -> torch.Tensor:
    options = {"dim": 0}
    return torch.sum(x, **options)


scripted = torch.jit.script(total)
```

## Use instead

```python
import torch


def total(x: torch.Tensor) -> torch.Tensor:
    return torch.sum(x, dim=0)


scripted = torch.jit.script(total)
inputs = (torch.rand(2, 3),)
```

## Fix safety

No fix: which keys the dict holds is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.rule import Finding, Rule

RULE = Rule(code="TS118", name="keyword-expansion", events=("keyword-expansion",))


def check(match: Match) -> Iterator[Finding]:
    """Underline what is expanded."""
    node = match.event.node
    what = f"`**{node.id}`" if isinstance(node, ast.Name) else "`**` in a call"
    yield match.finding(
        f"{what} cannot be compiled: the arguments of a call must be written out",
        help="Pass each argument by its name.",
    )
