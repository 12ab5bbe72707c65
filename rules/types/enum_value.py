"""# Enum with values that TorchScript does not support

## What it does

Finds Enums in compiled code whose values are not all ints, all floats or all strings.

## Why TorchScript rejects it

All values of a compiled Enum must have one type: int, float or str.

```text
Cannot create Enum with value type 'Tensor', only int, float and string are supported
```

## Example

```python
from enum import Enum

import torch


class Scale(Enum):
    SMALL = torch.tensor(0.5)
    LARGE = torch.tensor(2.0)


@torch.jit.script
def named(scale: Scale) -> str:
    return scale.name
```

## Use instead

```python
from enum import Enum

import torch


class Scale(Enum):
    SMALL = 0.5
    LARGE = 2.0


@torch.jit.script
def named(scale: Scale) -> str:
    return scale.name
```

## Fix safety

No fix: other code may use the values.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.types import EnumValue

RULE = Rule(code="TS343", name="enum-value", events=(EnumValue,))


def check(match: Match[EnumValue]) -> Iterator[Finding]:
    """Report the Enum, and the value that the compiler rejects."""
    event = match.event
    wrong = "has another type than the values before it" if event.mixed else "is not an int, float or str"
    yield match.finding(
        f"`{event.name}` cannot be compiled: its value `{event.value}` {wrong}",
        help=f"Give the members of `{event.name}` values of one type: int, float or str.",
    )
