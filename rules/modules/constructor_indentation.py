"""# String in `__init__` without the indentation of its `def`

## What it does

Finds multi-line strings and expressions in `__init__` with a line that does not begin with the same spaces or tabs as
the `def`.

## Why TorchScript rejects it

To look for annotations, the compiler parses the source of `__init__` alone, after it has removed the indentation that
all lines have in common. If one line has no indentation, the other lines stay indented. The compiler does this only for
the module that is passed to `torch.jit.script`, not for its submodules.

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

from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import ConstructorIndentation

RULE = Rule(code="TS428", name="constructor-indentation", events=(ConstructorIndentation,))
_STRING = m.SimpleString() | m.ConcatenatedString() | m.FormattedString()


def check(match: Match[ConstructorIndentation]) -> Iterator[Finding]:
    """Report the string, or another expression of several lines."""
    what = "string" if m.matches(match.node, _STRING) else "expression"
    yield match.finding(
        f"the compiler cannot parse this {what}: a line lacks the indentation of `def __init__`",
        help=f"Begin each line with the same spaces or tabs as the `def`, or move the {what} out of `__init__`.",
    )
