"""# Loop over something that TorchScript cannot iterate

## What it does

Finds `for` loops and comprehensions over a module, `None`, an Optional value or a number, in code that
`torch.jit.script` compiles.

## Why TorchScript rejects it

Tensors, lists, dicts, strings, tuples, ranges and containers of modules can be iterated.

```text
'NoneType' object is not iterable
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, heads: bool = False):
        super().__init__()
        self.with_heads = heads
        self.heads = nn.ModuleList([nn.Linear(3, 3)]) if heads else None

    def forward(self, x):
        if self.with_heads:
            for head in self.heads:
                x = head(x)
        return x * 2


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, heads: bool = False):
        super().__init__()
        self.heads = nn.ModuleList([nn.Linear(3, 3)]) if heads else None

    def forward(self, x):
        if self.heads is not None:
            for head in self.heads:
                x = head(x)
        return x * 2


inputs = (torch.rand(2, 3),)
```

## Fix safety

No fix: what the loop is meant to go over is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.rewrite.loop_parts import loop_over, place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule(code="TS415", name="not-iterable", events=("not-iterable",))


def check(match: Match) -> Iterator[Finding]:
    """Underline from the loop's beginning on, as the compiler does."""
    node, type_ = match.event.node, match.event.facts["type"]
    text = match.text(node)
    if type_ == "NoneType":
        message = f"`{text}` is None, which cannot be iterated"
        help = (
            f"Loop under `if {text} is not None:`. TorchScript drops that branch where it is None, others it compiles."
        )
    elif type_.startswith("Optional["):
        message = f"`{text}` may be None (it is of type {type_}), which cannot be iterated"
        help = "Bind it to a local variable, and loop under `if variable is not None:`."
    elif type_ == "int":
        message, help = f"`{text}` is an int, which cannot be iterated", f"Loop over `range({text})`."
    elif type_.startswith("self"):
        message = f"`{type_}` is a module, which cannot be iterated"
        help = "Only nn.Sequential, nn.ModuleList, nn.ModuleDict and nn.ParameterList can: keep its modules in one."
    else:
        message, help = (
            f"`{text}` is of type {type_}, which cannot be iterated",
            "Loop over a list, a tuple or a tensor.",
        )
    start, end = place(match, node)
    loop = loop_over(match, node) if isinstance(node, ast.expr) else None
    if loop is not None and not isinstance(node, ast.Call):
        start = place(match, loop.node)[0]
    yield Finding(message, help, None, start, end)
