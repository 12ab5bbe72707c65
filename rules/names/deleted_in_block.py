"""# `del` of a variable of a branch or a loop

## What it does

Finds `del name` where only a branch or the body of a loop assigns the variable.

## Why TorchScript rejects it

The compiler removes a variable only if it is assigned outside all branches and loops of the function.

```text
undefined value squared
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, steps: int = 3) -> torch.Tensor:
        for _ in range(steps):
            squared = x * x
            x = x + squared
            del squared
        return x


inputs = (torch.rand(3),)
```

## Use instead

Leave the `del` out: TorchScript frees the memory after the last use of a variable.

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, steps: int = 3) -> torch.Tensor:
        for _ in range(steps):
            squared = x * x
            x = x + squared
        return x


inputs = (torch.rand(3),)
```

## Fix safety

The fix runs `del` only in Python (`if not torch.jit.is_scripting():`), so that Python frees the memory as before. If
the function returns a variable right after the `del`, the fix removes the `del`. Both are *safe*.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.removal import removed
from tslint.rewrite.scripting import behind_test
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.events.names import DeletedInBlock

RULE = Rule(code="TS227", name="deleted-in-block", events=(DeletedInBlock,))


def check(match: Match[DeletedInBlock]) -> Iterator[Finding]:
    """Report the variable, with a fix that deletes it in Python only."""
    name = match.event.name
    yield match.finding(
        f"`del {name}` cannot be compiled: only a branch or a loop assigns `{name}`",
        help="Remove the `del`: TorchScript frees the memory after the last use of a variable.",
        fix=_fix(match),
    )


def _fix(match: Match[DeletedInBlock]) -> Fix | None:
    deletion = match.enclosing(cst.Del, match.node)
    line = match.line(deletion) if deletion is not None else None
    if deletion is None or line is None:
        return None
    following = next((after for each, after in pairwise(match.siblings(deletion)) if each is deletion), None)
    if isinstance(following, cst.Return) and _are_names(deletion.target) and _are_names(following.value):
        return safe("Remove the `del`: the function ends after it", lambda: removed(match, deletion))
    return behind_test(match, [line], f"Delete `{match.event.name}` in eager mode only", risks=())


def _are_names(node: cst.BaseExpression | None) -> bool:
    """Return whether an expression only consists of variables; also for no expression at all."""
    parts = [each.value for each in node.elements] if isinstance(node, cst.Tuple) else [node]
    return all(part is None or isinstance(part, cst.Name) for part in parts)
