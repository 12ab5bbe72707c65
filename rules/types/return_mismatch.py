"""# Returns of different types

## What it does

Finds functions without return annotation whose `return` statements give different types: a Tensor here, a tuple there.

## Why TorchScript rejects it

A function has one return type. Only a return of None beside another is merged, to an Optional. A flag that decides
which one runs does not help, unless the compiler can decide it: a `Final[bool]` attribute does.

```text
Previous return statement returned a value of type Tuple[Tensor, int] but this return statement returns a value of …
```

## Example

```python
import torch


def pool(x: torch.Tensor, with_count: bool):
    if with_count:
        return x.mean(), x.numel()
    return x.mean()


scripted = torch.jit.script(pool)
```

## Use instead

```python
import torch


def pool(x: torch.Tensor, with_count: bool):
    if with_count:
        return x.mean(), x.numel()
    return x.mean(), -1


scripted = torch.jit.script(pool)
inputs = (torch.rand(3), False)
```

## Fix safety

No fix: callers have to follow. Return one form always, write two functions, or make the flag a constant of the module,
`with_count: Final[bool]` in the class body.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.rule import Finding, Rule
from tslint.rules.types._common import a, quote, row

RULE = Rule(code="TS316", name="return-mismatch", events=("return-mismatch",))


def check(match: Match) -> Iterator[Finding]:
    """Name both returns."""
    facts, node = match.event.facts, match.event.node
    shown = quote(match, node) if isinstance(node, ast.expr) else "None"
    yield match.finding(
        f"returns {shown}, {a(facts['actual'])}, but line {row(match, facts['first'])} returns {a(facts['previous'])}",
        help="Return one type on every path, or split the function. A flag that is a `Final[bool]` attribute of the "
        "module is decided when it is compiled.",
    )
