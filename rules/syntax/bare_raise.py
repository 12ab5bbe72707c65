"""# `raise` without an exception in compiled code

## What it does

Finds `raise` statements without an exception in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Compiled code cannot catch exceptions, so there is none to raise again. The compiler crashes without naming a line:

```text
'NoneType' object has no attribute 'lineno'
```

## Example

```python
import torch


def positive(x: int) -> int:
    if x < 0:
        raise
    return x


scripted = torch.jit.script(positive)
```

## Use instead

```python
import torch


def positive(x: int) -> int:
    if x < 0:
        raise ValueError("x must not be negative")
    return x


scripted = torch.jit.script(positive)
inputs = (3,)
```

## Fix safety

No fix: only the author knows which exception is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.syntax import BareRaise

RULE = Rule(code="TS121", name="bare-raise", events=(BareRaise,))


def check(match: Match[BareRaise]) -> Iterator[Finding]:
    """Report the ``raise``."""
    yield match.finding(
        "`raise` without an exception cannot be compiled",
        help='Name the exception: `raise RuntimeError("…")`.',
    )
