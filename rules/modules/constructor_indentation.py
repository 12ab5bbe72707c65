"""# String in `__init__` that begins left of its `def`

## What it does

Finds multi-line strings in `__init__` with a line that begins further left than the `def`.

## Why TorchScript rejects it

To look for annotations, the compiler parses the source of `__init__` alone, after it has removed the indentation that
all lines have in common. Because of the line that begins further left, the other lines stay indented. This happens only
for the module that is passed to `torch.jit.script`, not for its submodules.

```text
unexpected indent (<unknown>, line 1)
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.note = '''two
lines'''

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.note = "two\\nlines"

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


inputs = (torch.rand(2),)
```

## Fix safety

No fix: indenting the string changes it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import ConstructorIndentation

RULE = Rule(code="TS428", name="constructor-indentation", events=(ConstructorIndentation,))


def check(match: Match[ConstructorIndentation]) -> Iterator[Finding]:
    """Report the string that begins left of ``def``."""
    yield match.finding(
        "a line of this string begins left of `def __init__`: the compiler cannot parse the constructor",
        help="Indent every line of it at least as far as the `def`, or move the string out of `__init__`.",
    )
