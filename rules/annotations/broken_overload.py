"""# Overload that does not fit its implementation

## What it does

Finds declarations marked `@torch.jit._overload` or `@torch.jit._overload_method` without an implementation after them,
and those of functions whose parameters do not fit the implementation.

## Why TorchScript rejects it

TorchScript compiles the body of the implementation once for each declaration. A declaration gives the types. The
defaults, and the parameters that a declaration leaves out, come from the implementation, which must annotate these
parameters. If a declaration has a default, too, it must be the same.

```text
Default parameters on overloads do not affect the runtime so they must equal to the default
```

```text
Implementation for the function
```

## Example

```python
import torch


@torch.jit._overload
def width(x: int, margin: int = 2) -> int:
    pass


@torch.jit._overload
def width(x: str, margin: int = 2) -> int:
    pass


def width(x, margin=3):
    if isinstance(x, str):
        return len(x) + margin
    return x + margin


@torch.jit.script
def padded(x: torch.Tensor) -> torch.Tensor:
    return torch.zeros(width("ab"), width(x.size(0)))


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch


@torch.jit._overload
def width(x: int) -> int:
    pass


@torch.jit._overload
def width(x: str) -> int:
    pass


def width(x, margin: int = 3):
    if isinstance(x, str):
        return len(x) + margin
    return x + margin


@torch.jit.script
def padded(x: torch.Tensor) -> torch.Tensor:
    return torch.zeros(width("ab"), width(x.size(0)))


inputs = (torch.rand(3),)
```

## Fix safety

No fix: only the author knows which of the two signatures is right.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.annotation import BrokenOverload

RULE = Rule(code="TS510", name="broken-overload", events=(BrokenOverload,))

_ADVICE = {
    "alone": (
        "`{name}` has overloads, but no implementation after them",
        "Define `{name}` without the mark after its overloads.",
    ),
    "default": (
        "The default of `{parameter}` in this overload of `{name}` is not the one of the implementation",
        "Write the default only in the implementation.",
    ),
    "name": (
        "The implementation of `{name}` has no parameter `{parameter}` at this position",
        "Give the parameters of the overload the names and the order that they have in the implementation.",
    ),
    "required": (
        "An overload of `{name}` leaves out `{parameter}`, which has no default here",
        "Give `{parameter}` a default, or add it to the overload.",
    ),
    "untyped": (
        "An overload of `{name}` leaves out `{parameter}`, which is not annotated here",
        "Annotate `{parameter}` in the implementation, or add it to the overload.",
    ),
}


def check(match: Match[BrokenOverload]) -> Iterator[Finding]:
    """Report the declaration, or the implementation if a declaration leaves out one of its parameters."""
    message, advice = (each.format(**vars(match.event)) for each in _ADVICE[match.event.problem])
    yield match.headed(message, help=advice)
