"""# Starred expression in an index

## What it does

Finds `x[*indices]` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The compiler does not unpack a starred expression in an index: the number of indices must be visible in the code.

```text
Unexpected starred expansion. File a bug report
```

## Example

```python
# Python 3.11 and later
import torch


def corner(x: torch.Tensor) -> torch.Tensor:
    where = (0, 1)
    return x[*where]


scripted = torch.jit.script(corner)
```

## Use instead

```python
import torch


def corner(x: torch.Tensor) -> torch.Tensor:
    where = (0, 1)
    return x[where[0], where[1]]


scripted = torch.jit.script(corner)
inputs = (torch.rand(2, 3),)
```

## Fix safety

No fix: the number of indices is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.syntax import StarredIndex

RULE = Rule(code="TS132", name="starred-index", events=(StarredIndex,))


def check(match: Match[StarredIndex]) -> Iterator[Finding]:
    """Report the starred expression in the index."""
    starred = match.event_text.strip("`").removeprefix("*")
    name = starred if starred.isidentifier() else "i"
    around = match.enclosing(cst.Subscript)
    indexed = match.code(around.value) if around is not None else "x"
    yield match.finding(
        "a starred expression in an index cannot be compiled",
        help=f"Write each index: `{indexed}[{name}[0], {name}[1]]`.",
    )
