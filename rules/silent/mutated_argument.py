"""# List or dict argument that is changed in place

## What it does

Finds compiled functions that are called from Python, change a list or dict argument in place, and do not return it.

## What goes wrong

TorchScript accepts it, but copies lists and dicts when Python calls compiled code. The function changes the copy, and
the caller never sees the changes.

## Example

```python
from typing import List

import torch


@torch.jit.script
def collect(x: torch.Tensor, seen: List[torch.Tensor]) -> torch.Tensor:
    seen.append(x)
    return x * 2


def run(function):
    seen = [torch.ones(2)]
    function(torch.ones(2), seen)
    return len(seen)


def example_inputs():
    return torch.ones(2), [torch.ones(2)]
```

## Use instead

```python
from typing import List

import torch


@torch.jit.script
def collect(x: torch.Tensor, seen: List[torch.Tensor]):
    seen.append(x)
    return x * 2, seen


def run(function):
    return len(function(torch.ones(2), [torch.ones(2)])[1])


def example_inputs():
    return torch.ones(2), [torch.ones(2)]
```

## Fix safety

No fix: if the function also returned the argument, every call would have to change.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import MutatedArgument
from tslint.script.types import DictType

RULE = Rule(code="TS606", name="mutated-argument", events=(MutatedArgument,), severity=Severity.WARNING)


def check(match: Match[MutatedArgument]) -> Iterator[Finding]:
    """Report a change of the argument that the caller does not see."""
    name = match.event.name
    kind = "dict" if isinstance(match.event.type, DictType) else "list"
    yield match.finding(
        f"this changes the caller's {kind} `{name}` only in Python: compiled code changes a copy",
        help=f"Return `{name}` as well, and let callers use the returned value.",
    )
