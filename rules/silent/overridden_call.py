"""# Module with its own `__call__`

## What it does

Finds calls of submodules whose class defines `__call__`, and classes that define it instead of `forward`.

## What goes wrong

TorchScript accepts it, but ignores `__call__`: compiled code directly calls `forward`, without the code that `__call__`
runs before and after it in Python. If there is no `forward`, the compiled module cannot be called.

## Example

```python
import torch
from torch import nn


class Shifted(nn.Module):
    def __call__(self, x):
        return super().__call__(x) + 1

    def forward(self, x):
        return x * 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.shifted = Shifted()

    def forward(self, x):
        return self.shifted(x)


inputs = (torch.ones(3),)
```

## Use instead

```python
import torch
from torch import nn


class Shifted(nn.Module):
    def forward(self, x):
        return x * 2 + 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.shifted = Shifted()

    def forward(self, x):
        return self.shifted(x)


inputs = (torch.ones(3),)
```

## Fix safety

No fix: if the code of `__call__` moves into `forward`, hooks get another result.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import OverriddenCall

RULE = Rule(code="TS612", name="overridden-call", events=(OverriddenCall,), severity=Severity.WARNING)


def check(match: Match[OverriddenCall]) -> Iterator[Finding]:
    """Report a call that runs ``forward`` instead of ``__call__``, or a class that has no ``forward``."""
    event = match.event
    name, path = event.class_name, event.path
    if path is None:
        yield match.headed(
            f"`{name}` has `__call__` and no `forward`: it cannot be called when compiled",
            help="Rename `__call__` to `forward`, or do not compile the class.",
        )
        return
    yield match.finding(
        f"{match.quote(match.node)} calls `forward` of `{name}` in TorchScript, but `__call__` in Python",
        help=f"Move what `__call__` does into `{name}.forward`.",
    )
