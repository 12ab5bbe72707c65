"""# `forward` without a return annotation

## What it does

Finds `forward` methods of compiled modules without a return annotation. The rule is off by default.

## What goes wrong

TorchScript accepts it: the compiler infers the type. But other modules and C++ code rely on the type of the result.
With an annotation, the compiler checks each `return`, and reports an error there and not in a caller.

## Example

```python
import torch
from torch import nn


class Double(nn.Module):
    def forward(self, x):
        return x * 2


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


class Double(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


inputs = (torch.rand(3),)
```

## Fix safety

No fix: only the author knows what the method should return.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Position, Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.annotation import UnannotatedReturn

RULE = Rule(
    code="TS508",
    name="forward-without-return-type",
    events=(UnannotatedReturn,),
    severity=Severity.INFO,
    default=False,
)


def check(match: Match[UnannotatedReturn]) -> Iterator[Finding]:
    """Report a ``forward`` without a return annotation, at its name."""
    name = match.event.name
    start, _ = match.file.span(match.event.span)
    line = match.source.lines[start.row - 1]
    # The search begins after `def`: the name may occur in that word (`f`).
    column = line.find(name, line.find("def", start.column - 1) + len("def")) + 1
    yield Finding(
        f"`{name}` has no return annotation",
        help="Annotate it, for example `-> torch.Tensor`: the compiler then checks every `return` against it.",
        start=Position(start.row, column) if column else None,
        end=Position(start.row, column + len(name)) if column else None,
    )
