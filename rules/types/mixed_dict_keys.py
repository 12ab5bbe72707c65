"""# Dict literal with keys of different types

## What it does

Finds `{…: …}` whose keys have different types.

## Why TorchScript rejects it

All keys of a dict have one type. (Values may have several types: the compiler makes a Union of them.)

```text
Dict keys must contain only a single type. Expected: str but found int instead
```

## Example

```python
import torch


def named(x: torch.Tensor):
    return {"first": x[0], 1: x[1]}


scripted = torch.jit.script(named)
```

## Use instead

```python
import torch


def named(x: torch.Tensor):
    return {"first": x[0], "1": x[1]}


scripted = torch.jit.script(named)
inputs = (torch.rand(2, 3),)
```

## Fix safety

No fix: the code that reads the dict must use the new key, too.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import a
from tslint.script.events.types import DictKeys

RULE = Rule(code="TS326", name="mixed-dict-keys", events=(DictKeys,))


def check(match: Match[DictKeys]) -> Iterator[Finding]:
    """Report the first key of another type, and both types."""
    event = match.event
    shown = "a key" if isinstance(match.node, cst.Dict) else f"the key {match.quote(match.node)}"
    yield match.finding(
        f"{shown} is {a(event.found)}, but the dict's first key is {a(event.expected)}",
        help="Give all keys one type, or use two dicts or a tuple.",
    )
