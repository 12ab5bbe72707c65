"""# Name beginning with `__jit` in compiled code

## What it does

Finds variables whose name begins with `__jit` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The compiler reserves these names for itself.

```text
names of variables used in JIT-ed functions can't start with __jit
```

## Example

```python
import torch


def double(x: torch.Tensor) -> torch.Tensor:
    __jit_scale = 2
    return x * __jit_scale


scripted = torch.jit.script(double)
```

## Use instead

```python
import torch


def double(x: torch.Tensor) -> torch.Tensor:
    scale = 2
    return x * scale


scripted = torch.jit.script(double)
inputs = (torch.rand(3),)
```

## Fix safety

No fix: only the author can choose a new name.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.syntax import ReservedName

RULE = Rule(code="TS127", name="reserved-name", events=(ReservedName,))


def check(match: Match[ReservedName]) -> Iterator[Finding]:
    """Report a name that begins with ``__jit``."""
    yield match.finding(
        f"`{match.event.name}`: names that begin with `__jit` are reserved for the compiler",
        help="Choose a name that does not begin with `__jit`.",
    )
