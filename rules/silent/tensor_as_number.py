"""# Tensor that becomes a number

## What it does

Finds tensors that are passed, returned or assigned where an int or a float is declared, or was assigned before, and
`.item()` of a tensor that is assigned to a variable which began as an int.

## Why TorchScript rejects it

It does not, and makes a number of the tensor, as `.item()` would: what follows computes with a number, not with a
Tensor. Where the tensor has several elements, requires a gradient, or holds floats where an int is wanted, it raises. A
number that `.item()` gives loses its fraction.

## Example

```python
import torch


def total(x: torch.Tensor):
    count = 0
    for i in range(2):
        count = count + (x[i] > 0).sum()
    return count


scripted = torch.jit.script(total)
inputs = (torch.ones(2, 3),)
```

## Use instead

```python
import torch


def total(x: torch.Tensor):
    count = torch.zeros((), dtype=torch.int64)
    for i in range(2):
        count = count + (x[i] > 0).sum()
    return count


scripted = torch.jit.script(total)
inputs = (torch.ones(2, 3),)
```

## Fix safety

No fix: whether a Tensor or a number is meant, only its author knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import TensorAsNumber
from tslint.script.types import INT

RULE = Rule(code="TS613", name="tensor-as-number", events=(TensorAsNumber,), severity=Severity.WARNING)
_PLACES = {
    "argument": "the parameter `{}` takes {}",
    "return": "`{}` returns {}",
    "variable": "`{}` is {} before",
}


def check(match: Match[TensorAsNumber]) -> Iterator[Finding]:
    """Say what makes it a number."""
    event = match.event
    number = f"{'an' if event.type == INT else 'a'} {event.type}"
    place = _PLACES[event.place].format(event.name, number)
    if not event.tensor:
        yield match.finding(
            f"{match.event_text} loses its fraction in TorchScript where it has one: {place}",
            help=f"Begin with a float: `{event.name} = 0.0`, or write `int(...)` where an int is meant.",
        )
        return
    yield match.finding(
        f"{match.event_text} is a Tensor, and becomes {number} in TorchScript: {place}",
        help="Begin with `torch.zeros(())` for a sum of tensors."
        if event.place == "variable"
        else f"Annotate it as a Tensor, or write `.item()` where {number} is meant.",
    )
