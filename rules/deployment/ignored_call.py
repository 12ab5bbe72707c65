"""# Call of an ignored function

## What it does

Finds calls of functions marked `@torch.jit.ignore` in code that `torch.jit.script` compiles.

## What goes wrong

The compiler accepts the call, which runs in Python. An archive cannot contain such a call, so saving fails, even if the
call is in a branch that never runs.

```text
Could not export Python function call 'smooth'. Remove calls to Python functions before export.
```

## Example

```python
import torch
from torch import nn


@torch.jit.ignore
def smooth(x: torch.Tensor) -> torch.Tensor:
    return x * 0.5


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        return smooth(x)


inputs = (torch.ones(3),)
```

## Use instead

```python
import torch
from torch import nn


def smooth(x: torch.Tensor) -> torch.Tensor:
    return x * 0.5


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        return smooth(x)


inputs = (torch.ones(3),)
```

## Fix safety

No fix: change the function so that it compiles, make it a custom operator, or mark it `@torch.jit.unused` and do not
call it in the compiled model.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import IgnoredCall

RULE = Rule(code="TS802", name="ignored-call", events=(IgnoredCall,), stage=Stage.SAVE)


def check(match: Match[IgnoredCall]) -> Iterator[Finding]:
    """Report the call, which prevents saving."""
    name = match.event.name
    yield match.finding(
        f"`{name}` is marked `@torch.jit.ignore`: this call compiles, but the module cannot be saved",
        help=f"Remove the decorator and change `{name}` so that it compiles, or put the call under "
        "`if not torch.jit.is_scripting():`.",
    )
