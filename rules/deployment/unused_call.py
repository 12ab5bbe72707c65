"""# Call of a function marked `@torch.jit.unused` that every run reaches

## What it does

Finds calls of functions marked `@torch.jit.unused` (or `@torch.jit.ignore(drop=True)`) that every run of the compiled
function reaches.

## What goes wrong

TorchScript accepts it, but compiles a `raise` instead of the call. Compiled code always raises there, and the message
does not name the function.

```text
This Python function is annotated to be ignored and cannot be run
```

## Example

```python
import torch
from torch import nn


@torch.jit.unused
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


@torch.jit.unused
def smooth(x: torch.Tensor) -> torch.Tensor:
    return x * 0.5


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        if torch.jit.is_scripting():
            return x * 0.5
        return smooth(x)


inputs = (torch.ones(3),)
```

## Fix safety

No fix: only the author knows what the compiled code should do instead.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import UnusedCall

RULE = Rule(code="TS803", name="unused-call", events=(UnusedCall,), stage=Stage.LOAD)


def check(match: Match[UnusedCall]) -> Iterator[Finding]:
    """Report a call that always raises in compiled code: a warning outside ``forward``, as the caller may never run."""
    event, unit = match.event, match.event.unit
    mark = "@torch.jit.unused" if event.word == "unused" else "@torch.jit.ignore(drop=True)"
    yield match.finding(
        f"`{event.name}` is marked `{mark}`: compiled code always raises at this call",
        help="Put the call under `if not torch.jit.is_scripting():`, or remove the decorator.",
        severity=None if unit is not None and unit.role == "forward" else Severity.WARNING,
    )
