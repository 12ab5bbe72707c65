"""# Division of an int by 1

## What it does

Finds `n / 1` of two ints, and `n / k` with a parameter `k` that is `1` by default.

## What goes wrong

TorchScript accepts it, but removes the division by 1. Then the result is not a float: `3 / 1` is `3` in TorchScript and
`3.0` in Python. Code that computes with the number raises when it runs (`INTERNAL ASSERT FAILED`, `expected double`),
or creates a tensor with another dtype than in Python:

```text
torch.int64
```

## Example

```python
import torch


def scaled(x: torch.Tensor):
    return x * (x.size(0) / 1)


scripted = torch.jit.script(scaled)
inputs = (torch.tensor([1, 2]),)
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor):
    return x * float(x.size(0))


scripted = torch.jit.script(scaled)
inputs = (torch.tensor([1, 2]),)
```

## Fix safety

No fix: write `float(n)` instead of `n / 1`, and test whether a parameter is 1 before you divide by it.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import DivisionByOne

RULE = Rule(code="TS619", name="division-by-one", events=(DivisionByOne,), severity=Severity.WARNING)


def check(match: Match[DivisionByOne]) -> Iterator[Finding]:
    """Report a division whose result is an int in TorchScript."""
    divisor = match.text(match.event.divisor)
    node = match.node
    dividend = f"float({match.code(node.left)})" if isinstance(node, cst.BinaryOperation) else "float(…)"
    when = f" where `{divisor}` is 1, its default" if match.event.default else ""
    yield match.finding(
        f"{match.event_text} is an int in TorchScript{when}, but a float in Python",
        help=f"Write `{dividend}`, and divide only if `{divisor}` is not 1."
        if match.event.default
        else f"Write `{dividend}` without the division.",
    )
