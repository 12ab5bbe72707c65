"""# Argument of dict() that is evaluated twice

## What it does

Finds `dict(zip(...))` and `dict([...])` with calls of modules, methods or functions inside.

## Why TorchScript rejects it

It does not, and emits the argument twice: once to learn its type, once to fill the dict. What is called inside runs
twice: a counter or a running mean moves by two steps, and text is printed twice.

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def moved(self, x):
        return x.add_(1)

    def forward(self, x: torch.Tensor):
        y = x.clone()
        return dict(zip(["y"], [self.moved(y)]))


inputs = (torch.ones(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def moved(self, x):
        return x.add_(1)

    def forward(self, x: torch.Tensor):
        y = x.clone()
        return {key: value for key, value in zip(["y"], [self.moved(y)])}


inputs = (torch.ones(3),)
```

## Fix safety

The comprehension is *safe*: it makes the same dict, and is evaluated once in both worlds.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rewrite.decorator_to_with import shown
from tslint.rewrite.fresh_names import fresh_name
from tslint.rewrite.spans import replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS616", name="evaluated-twice", events=("evaluated-twice",), severity=Severity.WARNING)


def check(match: Match) -> Iterator[Finding]:
    """Say what runs twice."""
    node = match.event.node
    assert isinstance(node, ast.Call)
    key, value = fresh_name(match, "key"), fresh_name(match, "value")
    text = f"{{{key}: {value} for {key}, {value} in {match.text(node.args[0])}}}"
    yield match.finding(
        f"{shown(match.text(match.event.facts['call']))} runs twice in TorchScript: `dict(...)` evaluates its argument "
        "twice",
        help="Write a dict comprehension, or call it before.",
        fix=safe("Write a dict comprehension", replace(match, node, text)),
    )
