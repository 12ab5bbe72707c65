"""# Call of an ignored function with annotations and `*args`, `**kwargs` or keyword-only parameters

## What it does

Finds calls of functions that are marked `@torch.jit.ignore` or `@torch.jit.unused`, and have both annotations and
`*args`, `**kwargs` or keyword-only parameters.

## Why TorchScript rejects it

The compiler ignores the body of such a function, but reads its signature, and crashes if the number of annotations and
parameters differs.

```text
INTERNAL ASSERT FAILED
```

## Example

```python
import torch


@torch.jit.ignore
def log(x: torch.Tensor, *rest) -> torch.Tensor:
    return x


def work(x: torch.Tensor) -> torch.Tensor:
    return log(x, x)


scripted = torch.jit.script(work)
```

## Use instead

Remove the decorator if the function compiles. Otherwise, give it plain parameters.

```python
import torch


def log(x: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    return x


def work(x: torch.Tensor) -> torch.Tensor:
    return log(x, x)


scripted = torch.jit.script(work)
inputs = (torch.rand(2),)
```

## Fix safety

No fix: only the author knows which parameters are needed.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import IgnoredVariadic

RULE = Rule(code="TS430", name="ignored-variadic", events=(IgnoredVariadic,))


def check(match: Match[IgnoredVariadic]) -> Iterator[Finding]:
    """Report the call of a function whose signature the compiler cannot read."""
    name = match.event.name
    yield match.finding(
        f"`{name}` has `*args`, `**kwargs` or keyword-only parameters: its annotations cannot be read",
        help=f"Write `{name}` without `*args`, `**kwargs` and keyword-only parameters.",
    )
