"""# `*args` or `**kwargs` in a compiled function

## What it does

Finds functions with `*args` or `**kwargs` that `torch.jit.script` compiles.

## Why TorchScript rejects it

A compiled function has a fixed signature: so many parameters, each with a type.

```text
Compiled functions can't take variable number of arguments or use keyword-only arguments with defaults
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, *rest: torch.Tensor) -> torch.Tensor:
        return x * 2


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


inputs = (torch.rand(3),)
```

Where the arguments are used, take a `List[Tensor]` (or a `Dict[str, Tensor]`), or write parameters with defaults.

## Fix safety

A variadic parameter that the function never reads is removed. That is *unsafe*: callers that pass more arguments
fail then.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Edit, Fix
from tslint.rule import Finding, Rule, unsafe
from tslint.rules.syntax._common import place

RULE = Rule(code="TS115", name="variadic-parameter", events=("variadic-parameter",))


def check(match: Match) -> Iterator[Finding]:
    """Underline the star and the name; remove the parameter where nothing reads it."""
    facts, source = match.event.facts, match.source
    start, end = match.border.place(match.event.span)
    star = source.text.rfind("*", 0, source.offset(start))
    begin = source.position(star - len(facts["star"]) + 1)
    instead = "a `List[Tensor]` parameter" if facts["star"] == "*" else "a `Dict[str, Tensor]` parameter"
    name = f"{facts['star']}{facts['name']}"
    yield Finding(
        f"`{name}` cannot be compiled: compiled functions have a fixed number of parameters",
        f"Name the parameters one by one, or take {instead}.",
        _remove(match, begin, end),
        begin if begin.row == start.row else start,
        end,
    )


def _remove(match: Match, begin: object, end: object) -> Fix | None:
    node, source = match.event.node, match.source
    function = next((item for item in ast.walk(match.border.tree) if _holds(item, node)), None)
    if not isinstance(function, ast.FunctionDef) or not isinstance(node, ast.arg):
        return None
    if any(isinstance(child, ast.Name) and child.id == node.arg for child in ast.walk(function)):
        return None
    stars = match.event.facts["star"]
    low = source.text.rfind("*", 0, source.offset(place(match, node)[0])) - len(stars) + 1
    high = source.offset(place(match, node)[1])
    text = "*" if stars == "*" and function.args.kwonlyargs else ""
    if not text:
        comma = re.search(r",\s*$", source.text[:low])
        rest = re.compile(r"\s*,?\s*(?=\))").match(source.text, high)
        if comma is not None:
            low = comma.start()
        elif source.text[:low].rstrip().endswith("(") and rest is not None:
            high = rest.end()
        else:
            return None
    edit = Edit(source.position(low), source.position(high), text)
    return unsafe(f"Remove `{stars}{node.arg}`, which is never read", edit)


def _holds(function: ast.AST, node: ast.AST) -> bool:
    return isinstance(function, ast.FunctionDef) and node in (function.args.vararg, function.args.kwarg)
