"""# None in a ModuleList that is indexed or counted

## What it does

Finds `self.layers[2]`, `enumerate(self.layers)` and `zip(self.layers, …)` if the constructor puts None into the
`nn.ModuleList`, before the item or among the items.

## Why TorchScript rejects it

TorchScript accepts it, but leaves None out of the list, so that later modules get other indices: `self.layers[1]` is
another module, `enumerate` counts without a gap, and `zip` forms other pairs. A test for None is always False.

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), None, nn.Linear(3, 3)])

    def forward(self, x: torch.Tensor):
        for i, layer in enumerate(self.layers):
            if layer is not None:
                x = layer(x) * i
        return x


inputs = (torch.ones(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Identity(), nn.Linear(3, 3)])

    def forward(self, x: torch.Tensor):
        for i, layer in enumerate(self.layers):
            if i != 1:
                x = layer(x) * i
        return x


inputs = (torch.ones(2, 3),)
```

If an item may also do nothing, `nn.Identity()` needs no test. A plain `for layer in self.layers:` that skips
None is the same in both, and is not reported.

## Fix safety

No fix: `nn.Identity()` instead of None would run where a test for None skips it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import NoneLeftOut

RULE = Rule(code="TS623", name="none-in-container", events=(NoneLeftOut,), severity=Severity.WARNING)
_EFFECT = {
    "index": "is another module in TorchScript",
    "enumerate": "gives other indices in TorchScript",
    "zip": "pairs other items in TorchScript",
}


def check(match: Match[NoneLeftOut]) -> Iterator[Finding]:
    """Report where None is, and which modules get another index."""
    event = match.event
    yield match.finding(
        f"{match.event_text} {_EFFECT[event.use]}, which leaves out `{event.path}[{event.position}]`: it is None",
        help="Put `nn.Identity()` into the list instead of None.",
    )
