"""# `...` as a value in compiled code

## What it does

Finds `...` in code that `torch.jit.script` compiles, except among several indices (`x[..., 0]`), or as the only index
in an assignment (`x[...] = 0`).

## Why TorchScript rejects it

`...` is not a value in TorchScript. The statement `...`, which does nothing in Python, is rejected, too.

```text
Cannot emit expr for: (dots)
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def log(self, x: torch.Tensor) -> None:
        ...

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.log(x)
        return x


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def log(self, x: torch.Tensor) -> None:
        pass

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.log(x)
        return x


inputs = (torch.rand(3),)
```

For `x[...]`, which is a view of all of `x`, write `x.view_as(x)`, or just `x`.

## Fix safety

A statement `...` becomes `pass`, which is *safe*: both do nothing. Other uses of `...` have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.events.syntax import EllipsisValue

RULE = Rule(code="TS128", name="ellipsis-value", events=(EllipsisValue,))


def check(match: Match[EllipsisValue]) -> Iterator[Finding]:
    """Report the ``...``, with a fix that writes ``pass`` for a statement."""
    around = match.parent(match.node)
    if isinstance(match.node, cst.Subscript):
        yield match.finding(
            "an index can hold `...` only once",
            help="Write the other dimensions as `:`.",
        )
    elif isinstance(around, cst.Expr):
        statement = around
        yield match.finding(
            "`...` cannot be compiled, not even as an empty body",
            help="Write `pass`.",
            fix=safe("Write `pass`", lambda: match.replace(statement, cst.Pass())),
        )
    elif isinstance(around, cst.Subscript):
        yield match.finding(
            "`...` alone cannot be an index in compiled code",
            help=f"Remove the index, or name one more dimension: `{match.code(around.value)}[..., :]`.",
        )
    else:
        text = match.code(match.node)
        help = (
            "Use `None`, or a value of the right type. For an index, write `...` between the brackets: `[..., None]`."
        )
        yield match.finding(f"`{text}` is not a value in TorchScript", help=help)
