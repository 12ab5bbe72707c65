"""# `with` over a value that is not a context manager

## What it does

Finds `with` statements whose value is a Tensor, a number or None, or an instance of a compiled class without
`__enter__` or `__exit__`.

## Why TorchScript rejects it

A compiled `with` accepts instances of classes that have `__enter__` and `__exit__` in their own body, and a few context
managers of torch (`torch.no_grad()`, `torch.autocast`, `record_function`). A function that returns nothing is not a
context manager.

```text
With item expression must return an object
```

## Example

```python
import torch


def timer():
    return None


def work(x: torch.Tensor) -> torch.Tensor:
    with timer():
        x = x + 1
    return x


scripted = torch.jit.script(work)
```

## Use instead

```python
from typing import Any

import torch


class Timer:
    def __init__(self):
        self.running = False

    def __enter__(self):
        self.running = True

    def __exit__(self, type: Any, value: Any, traceback: Any):
        self.running = False


def work(x: torch.Tensor) -> torch.Tensor:
    with Timer():
        x = x + 1
    return x


scripted = torch.jit.script(work)
inputs = (torch.rand(2),)
```

## Fix safety

No fix: only the author knows which context manager is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import said
from tslint.script.events.types import WithItem

RULE = Rule(code="TS335", name="with-item", events=(WithItem,))


def check(match: Match[WithItem]) -> Iterator[Finding]:
    """Report the value, and the methods that its class lacks."""
    event, what = match.event, " ".join(match.code(match.node).split())
    if event.missing:
        name = said(event.type)
        yield match.finding(
            f"`with {what}`: a compiled `{name}` has no {event.missing}",
            help=(
                "Write `__enter__(self)` and `__exit__(self, type: Any, "
                f"value: Any, traceback: Any)` in the body of `{name}`."
            ),
        )
    else:
        yield match.finding(
            f"`{what}` is not a context manager in TorchScript",
            help="Remove the `with`. If Python needs it, write the block twice: without the `with` under "
            "`if torch.jit.is_scripting():`, and with it under `else:`.",
        )
