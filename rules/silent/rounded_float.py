"""# round() whose result is taken for an int

## What it does

Finds `round(x)` of a float or an int, where a float in its place would not do as well.

## Why TorchScript rejects it

It does not, and gives a float: `round(2.6)` is `3.0` in TorchScript and `3` in Python. A tensor of ints that is
multiplied by it becomes a tensor of floats, text that it goes into gets a dot, and callers get another type.

## Example

```python
import torch


def scaled(x: torch.Tensor, factor: float):
    return x * round(factor)


scripted = torch.jit.script(scaled)
inputs = (torch.tensor([1, 2]), 2.6)
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor, factor: float):
    return x * int(round(factor))


scripted = torch.jit.script(scaled)
inputs = (torch.tensor([1, 2]), 2.6)
```

## Fix safety

`int(round(x))` is computed where it is compiled only, and Python computes what it did: *unsafe*, since halves are
rounded in another way there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Severity
from tslint.rule import Finding, Rule
from tslint.rules.names._devices import either
from tslint.rules.silent._common import shown

RULE = Rule(code="TS603", name="rounded-float", events=("rounded-float",), severity=Severity.WARNING)


def check(match: Match) -> Iterator[Finding]:
    """Make it the int that it is in Python."""
    text = match.text(match.event.node)
    yield match.finding(
        f"{shown(text)} is a float in TorchScript, and an int in Python",
        help="Write `int(round(...))`: that is an int in both.",
        # What is no float after all may have a rounding of its own in Python.
        fix=either(match, match.event.node, f"int({text})", "Convert it to an int where it is compiled")
        if isinstance(match.event.node, ast.expr)
        else None,
    )
