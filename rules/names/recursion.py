"""# Recursive call

## What it does

Finds functions and methods that call themselves, directly or through others. A module may call another instance of its
own class.

## Why TorchScript rejects it

To compile a call, the compiler needs the types of the called function. It knows them only after it has compiled that
function.

```text
function 'power' is called recursively. Recursive calls are not supported
```

## Example

```python
import torch


def power(x: torch.Tensor, n: int) -> torch.Tensor:
    if n == 0:
        return torch.ones_like(x)
    return x * power(x, n - 1)


scripted = torch.jit.script(power)
```

## Use instead

Write the function as a loop:

```python
import torch


def power(x: torch.Tensor, n: int) -> torch.Tensor:
    result = torch.ones_like(x)
    for _ in range(n):
        result = result * x
    return result


scripted = torch.jit.script(power)
inputs = (torch.rand(3), 2)
```

## Fix safety

No fix: only the author knows how a recursion becomes a loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.names import Recursion

RULE = Rule(code="TS220", name="recursion", events=(Recursion,))


def check(match: Match[Recursion]) -> Iterator[Finding]:
    """Report the function, and whether it calls itself directly."""
    name, unit = match.event.name, match.event.unit
    itself = unit is not None and unit.function.name == name
    call = match.event_text
    message = f"`{name}` calls itself, {call}"
    if not itself and unit is not None:
        message = f"`{name}` calls itself through `{unit.function.name}`, {call}"
    help = f"Write `{name}` as a loop. If it calls itself several times, keep the pending arguments in a list."
    yield match.finding(f"{message}: TorchScript has no recursion", help=help)
