"""# Static forward

## What it does

Finds a `forward` marked `@staticmethod`.

## Why TorchScript rejects it

The compiler takes `forward` for a method all the same: its first parameter is the module, which no operator takes, and
each call passes one argument too many.

```text
Arguments for call are not valid.
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    @staticmethod
    def forward(x):
        return x * torch.sigmoid(x)


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(x)


inputs = (torch.rand(3),)
```

## Fix safety

Making it a method is *unsafe*: somebody may call it through the class. Where this file does, there is no fix.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.loop_parts import place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, unsafe

RULE = Rule(code="TS431", name="static-forward", events=("static-forward",))


def check(match: Match) -> Iterator[Finding]:
    """Make it a method."""
    yield match.finding(
        "`forward` is static, and TorchScript takes its first parameter for the module",
        help="Remove `@staticmethod`, and write `self` before its parameters.",
        fix=_method(match, match.event.facts["function"]),
    )


def _method(match: Match, held: ast.FunctionDef) -> Fix | None:
    if len(held.decorator_list) != 1 or not held.args.args:
        return None
    classes = [each.name for each in match.file.tree.body if isinstance(each, ast.ClassDef)]
    if any(f"{name}.forward" in match.source.text for name in [*classes, "__class__", "cls", ")"]):
        return None
    if "self" in {each.id for each in walking.walk(held) if isinstance(each, ast.Name)} | {
        each.arg for each in held.args.args
    }:
        return None
    if any(isinstance(each, ast.Name) and each.id in ("super", "__class__") for each in walking.walk(held)):
        return None
    start, _ = place(match, held.args.args[0])
    row = held.decorator_list[0].lineno
    edits = (Edit(Position(row, 1), Position(row + 1, 1), ""), Edit(start, start, "self, "))
    return unsafe("Make it a method", *edits, risks=(Risk.ASSUMES,))
