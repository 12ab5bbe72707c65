"""# Code that the target torch does not compile

## What it does

Finds code that the version in `target-torch` does not compile, but another version does:

- `X | Y` in annotations, before 2.2
- quoted annotations in a NamedTuple, before 2.1
- quoted annotations in the class body of a module, for names that `__init__` does not set, before 2.3
- Enums, before 2.0 (on Python 3.11 and later)
- `torch.compiler.is_compiling()`, before 2.3
- bools for int parameters, before 2.3
- `parametrizations.weight_norm`, before 2.1
- `torch.jit._IgnoreContextManager`, before 2.9
- `autograd.Function`, before 2.0 and from 2.15 on

## Why TorchScript rejects it

Each feature was added to the compiler, or removed from it, in the version that the finding names. The list comes from
code that was compiled with 1.13, 2.0, 2.1, 2.2, 2.3, 2.4, 2.6, 2.9, 2.13 and 2.15. For a version in between, such as
2.5, a feature is reported only if both neighbours, 2.4 and 2.6, reject the feature.

```text
Unknown type annotation
```

## Example

```python
# target-torch = "2.1"
import torch


def scaled(x: torch.Tensor, factor: float | None = None) -> torch.Tensor:
    return x if factor is None else x * factor


scripted = torch.jit.script(scaled)
```

## Use instead

```python
# target-torch = "2.1"
from typing import Optional

import torch


def scaled(x: torch.Tensor, factor: Optional[float] = None) -> torch.Tensor:
    return x if factor is None else x * factor


scripted = torch.jit.script(scaled)
```

## Fix safety

No fix: the code is correct for newer versions. Only the author can decide whether to change it or to raise the target.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import NewerThanTarget

RULE = Rule(code="TS801", name="newer-than-target", events=(NewerThanTarget,))


def check(match: Match[NewerThanTarget]) -> Iterator[Finding]:
    """Report the feature, and the versions of torch that support it."""
    event = match.event
    versions = f"{event.since} to {event.until}" if event.until else f"{event.since} or later"
    yield match.finding(
        f"{event.words} needs torch {versions} (`target-torch` is {event.target})",
        help=event.instead,
    )
