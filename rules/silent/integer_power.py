"""# Power of two ints that is taken for an int

## What it does

Finds `a ** b` of two ints, where a float in its place would not do as well.

## Why TorchScript rejects it

It does not, and gives a float: `3 ** 2` is `9.0` in TorchScript and `9` in Python. A tensor of ints that is multiplied
by it becomes a tensor of floats, and large powers lose their last digits.

## Example

```python
import torch


def scaled(x: torch.Tensor):
    return x * x.size(0) ** 2


scripted = torch.jit.script(scaled)
inputs = (torch.tensor([1, 2]),)
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor):
    return x * int(x.size(0) ** 2)


scripted = torch.jit.script(scaled)
inputs = (torch.tensor([1, 2]),)
```

## Fix safety

`int(a ** b)` is computed where it is compiled only, and Python computes what it did: *unsafe*, since a negative
exponent gives a fraction in Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Fix, Severity
from tslint.rule import Finding, Rule
from tslint.rules.names._devices import either
from tslint.rules.silent._common import shown

RULE = Rule(code="TS604", name="integer-power", events=("integer-power",), severity=Severity.WARNING)


def check(match: Match) -> Iterator[Finding]:
    """Make it the int that it is in Python."""
    node: ast.AST = match.event.node
    base, exponent = (match.text(match.event.facts[key]) for key in ("base", "exponent"))
    yield match.finding(
        f"{shown(match.text(node))} is a float in TorchScript, and an int in Python",
        help=f"Write `int({base} ** {exponent})`, or multiply: both are ints in both.",
        fix=_fix(match, node),
    )


def _fix(match: Match, node: ast.AST) -> Fix | None:
    if not isinstance(node, ast.BinOp):
        return None
    # A negative exponent gives a fraction in Python, and an annotation may be wrong: eager mode goes on as before.
    return either(match, node, f"int({match.text(node)})", "Convert it to an int where it is compiled")
