"""# Slice of a container of modules with bounds that are not literals

## What it does

Finds `self.layers[:n]` with a bound that is not an integer literal, and any slice of an `nn.ParameterList`, in code
that `torch.jit.script` compiles.

## Why TorchScript rejects it

Every module has its own type, so the compiler must know which modules a slice contains. It cannot slice an
`nn.ParameterList` at all.

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

The fix loops over the whole container and tests the index. A bound that may be negative counts from the end, as in
Python. This is *safe* if the bounds are ints for all arguments of `__init__`. It is *unsafe* if only an annotation
shows that the bounds are ints. There is no fix for a slice with a step, or outside the header of a `for` statement.
There is none either if the loop has a `break`, `continue` or `else`, if its variable is read after the loop, or if the
body changes a bound or the container.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.iterate_slice import walked_slice
from tslint.rewrite.loops import loop_over
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.dataflow.none_modules import may_hold_none
from tslint.script.events.modules import ContainerSlice

RULE = Rule(code="TS407", name="container-slice", events=(ContainerSlice,))


def check(match: Match[ContainerSlice]) -> Iterator[Finding]:
    """Report the slice, with a fix that loops over the whole container and tests the index."""
    event = match.event
    subscript = match.libcst(event.subscript)
    if event.bound is None:
        yield match.finding(
            f"{match.quote(subscript)} slices an nn.{event.container}, which TorchScript does not support",
            help=f"Iterate over the whole container with `enumerate({event.path})`, and test the index.",
        )
        return
    bound = match.quote(match.libcst(event.bound))
    yield match.finding(
        f"{match.quote(subscript)} slices an nn.{event.container} at {bound}, which is not an integer literal",
        help=f"Iterate over the whole container with `enumerate({event.path})`, and compare the index with {bound}.",
        fix=_walk(match, subscript),
    )


def _walk(match: Match, node: cst.CSTNode) -> Fix | None:
    loop = loop_over(match, node)
    if loop is None or not isinstance(loop.target, cst.Name) or not isinstance(node, cst.Subscript):
        return None
    if may_hold_none(match.file.tree, match.model(node)):
        return None  # compiled code leaves None out, so the modules after it have other indices
    return walked_slice(match, loop, node)
