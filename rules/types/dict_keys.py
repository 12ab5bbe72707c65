"""# Keys of several types in one dict

## What it does

Finds dict literals whose keys have different types.

## Why TorchScript rejects it

All keys of a dict have one type. (Values may differ: they make a Union.)

```text
Dict keys must contain only a single type. Expected: str but found int instead
```

## Example

```python
import torch


def table(x: torch.Tensor) -> torch.Tensor:
    found = {"a": x, 2: x}
    return found["a"]


scripted = torch.jit.script(table)
inputs = (torch.rand(2),)
```

## Use instead

```python
import torch


def table(x: torch.Tensor) -> torch.Tensor:
    found = {"a": x, "2": x}
    return found["a"]


scripted = torch.jit.script(table)
inputs = (torch.rand(2),)
```

## Fix safety

No fix: only the author knows which type the keys should have.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.types import DictKeys

RULE = Rule(code="TS329", name="dict-keys", events=(DictKeys,))


def check(match: Match[DictKeys]) -> Iterator[Finding]:
    """Report the first key that differs."""
    event = match.event
    yield match.finding(
        f"the key {match.event_text} is of type {event.found}, but the keys before it are of type {event.expected}",
        help="Give all keys one type, or use a NamedTuple if each entry has its own meaning.",
    )
