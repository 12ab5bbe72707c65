"""# Dict keys of a type that TorchScript does not support

## What it does

Finds dict literals whose keys are tuples, enums, lists or of other types that TorchScript cannot hash.

## Why TorchScript rejects it

Keys are `int`, `float`, `complex`, `bool`, `str`, `Tensor` or `torch.device`.

```text
Cannot create dict for key type '(int, int)', only int, float, complex, Tensor, device and string keys are supported
```

## Example

```python
import torch


def table(x: torch.Tensor) -> torch.Tensor:
    found = {(0, 1): x}
    return found[(0, 1)]


scripted = torch.jit.script(table)
inputs = (torch.rand(2),)
```

## Use instead

```python
import torch


def table(x: torch.Tensor) -> torch.Tensor:
    found = {"0 1": x}
    return found["0 1"]


scripted = torch.jit.script(table)
inputs = (torch.rand(2),)
```

## Fix safety

No fix: only the author knows what the keys should be.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import said
from tslint.script.events.types import DictKeyType

RULE = Rule(code="TS338", name="dict-key-type", events=(DictKeyType,))


def check(match: Match[DictKeyType]) -> Iterator[Finding]:
    """Report a dict, and the type of its keys."""
    yield match.finding(
        f"this dict has keys of type {said(match.event.type)}, which TorchScript does not support",
        help="Use ints or strings as keys, or two lists: one of the keys, one of the values.",
    )
