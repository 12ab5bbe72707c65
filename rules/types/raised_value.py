"""# `raise` of a value that is not an exception

## What it does

Finds `raise` of a string, a number or an instance of a class that is not an exception, in code that `torch.jit.script`
compiles.

## Why TorchScript rejects it

Python raises a TypeError when it runs this line. The compiler rejects the function, even if the line never runs.

```text
exceptions must derive from BaseException
```

## Example

```python
import torch


def positive(x: torch.Tensor) -> torch.Tensor:
    if x.dim() == 0:
        raise "no dimensions"
    return x.relu()


scripted = torch.jit.script(positive)
inputs = (torch.rand(2),)
```

## Use instead

```python
import torch


def positive(x: torch.Tensor) -> torch.Tensor:
    if x.dim() == 0:
        raise ValueError("no dimensions")
    return x.relu()


scripted = torch.jit.script(positive)
inputs = (torch.rand(2),)
```

## Fix safety

No fix: only the author knows which exception is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import a
from tslint.script.events.types import RaisedValue

RULE = Rule(code="TS339", name="raised-value", events=(RaisedValue,))


def check(match: Match[RaisedValue]) -> Iterator[Finding]:
    """Report a raised value that is not an exception."""
    example = "NotImplementedError" if "NotImplemented" in match.event_text else 'ValueError("…")'
    yield match.finding(
        f"{_raised(match)} is raised, but it is not an exception",
        help=f"Raise an exception, such as `{example}`.",
    )


def _raised(match: Match[RaisedValue]) -> str:
    value = match.node.exc if isinstance(match.node, cst.Raise) else match.node
    return match.quote(value) if isinstance(value, cst.BaseExpression) else a(match.event.type)
