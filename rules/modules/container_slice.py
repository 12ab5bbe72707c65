"""# Slice of a container of modules with bounds that are no literals

## What it does

Finds `self.layers[:n]` with a bound that is no integer literal, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Every module has a type of its own, so the compiler has to know which ones are meant.

```text
tuple slice indices must be integer constants
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        self.depth = 2

    def forward(self, x):
        for layer in self.layers[:self.depth]:
            x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        self.depth = 2

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            if i < self.depth:
                x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Fix safety

Walking the whole container and testing the index is *unsafe*: it does the same only for bounds that are not negative,
and evaluates the bound in every turn.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Fix
from tslint.rule import Finding, Rule, unsafe
from tslint.rules.modules._common import fresh_name, leaves_turn, loop_over, moved_right, replace

RULE = Rule(code="TS407", name="container-slice", events=("container-slice",))


def check(match: Match) -> Iterator[Finding]:
    """Walk the whole container and test the index."""
    facts = match.event.facts
    subscript, bound = facts["subscript"], match.text(facts["bound"])
    yield match.finding(
        f"`{match.text(subscript)}` slices an nn.{facts['container']} at `{bound}`, which is no integer literal",
        help=f"Go over the whole container with `enumerate({facts['path']})`, and compare the index with `{bound}`.",
        fix=_walk(match, subscript),
    )


def _walk(match: Match, node: ast.Subscript) -> Fix | None:
    loop = loop_over(match, node)
    if loop is None or not isinstance(loop.node, ast.For) or not isinstance(node.slice, ast.Slice) or node.slice.step:
        return None
    index, path = fresh_name(match, "i"), match.text(node.value)
    low, high = node.slice.lower, node.slice.upper
    tests = [f"{index} >= {match.text(low)}"] if low is not None else []
    tests += [f"{index} < {match.text(high)}"] if high is not None else []
    edits = moved_right(match, loop.node, f"if {' and '.join(tests)}:")
    if edits is None or leaves_turn(loop.node) or any("\n" in test for test in tests):
        return None
    header = [replace(match, loop.target, f"{index}, {match.text(loop.target)}")]
    header.append(replace(match, loop.iterable, f"enumerate({path})"))
    return unsafe(f"Go over the whole of `{path}`", *header, *edits)
