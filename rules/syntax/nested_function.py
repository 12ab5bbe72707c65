"""# Function defined inside compiled code

## What it does

Finds `def` (and `async def`) inside functions that `torch.jit.script` compiles.

## Why TorchScript rejects it

Functions are no values in TorchScript: there are no closures, and a function can only be called by a name that exists
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

What the inner function takes from around it becomes a parameter.

## Fix safety

A function that is defined once, before it is called, and is only called is moved to module level where it uses no
variable of the function around it and the file has no such name. One that only returns an expression is written out
where it is called, if that evaluates the same in the same order; one that uses nothing but `self` becomes a method. All
are *safe*. Where a name stands for two functions, or a function is handed on, there is no fix.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Fix
from tslint.rewrite.hoist_function import as_method, to_module
from tslint.rewrite.inline_function import expression_of, inlined
from tslint.rewrite.spans import at_keyword, compiled_function, parent
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule(code="TS102", name="nested-function", events=("nested-function",))


def check(match: Match) -> Iterator[Finding]:
    """Underline ``def``; offer to hoist what captures nothing."""
    node = match.event.node
    keyword = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    yield at_keyword(
        match,
        keyword,
        f"`{match.event.facts['name']}` is defined inside compiled code: TorchScript has no closures",
        "Move it to module level or make it a method; what it uses from around it becomes a parameter.",
        _fix(match, node) if isinstance(node, ast.FunctionDef) else None,
    )


def _fix(match: Match, node: ast.FunctionDef) -> Fix | None:
    around = compiled_function(match, parent(match, node))
    if around is None:
        return None
    result = expression_of(node)
    return (
        to_module(match, around, node)
        or (inlined(match, around, node.name, node, node.args, result) if result is not None else None)
        or as_method(match, around, node)
    )
