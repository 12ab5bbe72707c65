"""# Function defined inside compiled code

## What it does

Finds `def` (and `async def`) inside functions that `torch.jit.script` compiles.

## Why TorchScript rejects it

Functions are not values in TorchScript: there are no closures, and a function can only be called by a name that exists
when the model is compiled.

```text
function definitions aren't supported
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        def halve(t: torch.Tensor) -> torch.Tensor:
            return t / 2

        return halve(x)


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


def halve(t: torch.Tensor) -> torch.Tensor:
    return t / 2


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return halve(x)


inputs = (torch.rand(3),)
```

Variables of the enclosing function that the inner function uses become parameters of the inner function.

## Fix safety

The fix depends on what the inner function uses. If it uses no variable of the enclosing function, and its name is free
in the file, it moves to module level. If it only returns an expression, the fix replaces its calls by that expression,
provided that the order of evaluation stays the same. If it uses only `self`, it becomes a method. All of these are
*safe*. There is no fix if two functions have the same name, or if the function is not only called but also used as a
value.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.hoist_function import as_method, to_module
from tslint.rewrite.inline_function import inlined
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.syntax import NestedFunction

RULE = Rule(code="TS102", name="nested-function", events=(NestedFunction,))


def check(match: Match[NestedFunction]) -> Iterator[Finding]:
    """Report the function, with a fix that moves it, inlines it or makes it a method."""
    node = match.node
    if isinstance(node, cst.FunctionDef):
        yield match.finding(
            f"`{match.event.name}` is defined inside compiled code: TorchScript has no closures",
            help=f"Move `{match.event.name}` to module level or make it a method, and pass the variables that it uses.",
            fix=_fix(match, node) if node.asynchronous is None else None,
            keyword="def" if node.asynchronous is None else "async def",
        )


def _fix(match: Match, node: cst.FunctionDef) -> Fix | None:
    above = match.parent(node)
    around = match.enclosing(cst.FunctionDef, above) if above is not None else None
    if around is None:
        return None
    return to_module(match, around, node) or inlined(match, node.name.value, node) or as_method(match, around, node)
