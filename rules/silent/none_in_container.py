"""# None in a ModuleList that is indexed or counted

## What it does

Finds `self.layers[2]`, `enumerate(self.layers)` and `zip(self.layers, …)` if the constructor puts None into the
`nn.ModuleList`.

## What goes wrong

TorchScript accepts it, but leaves None out of the list, so the modules after it have other indices. `self.layers[1]` is
another module, `enumerate` gives other numbers, and `zip` forms other pairs. In TorchScript, no item of the list is
None.

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

If the index does not matter, you need no test: `nn.Identity()` returns its input. A plain `for layer in self.layers:`
that skips None does the same in Python and TorchScript, and is not reported.

## Fix safety

No fix: code that skips None would run an `nn.Identity()` in its place.
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
    """Report the use of the list, and which item is None."""
    event = match.event
    yield match.finding(
        f"{match.event_text} {_EFFECT[event.use]}, which leaves None out: `{event.path}[{event.position}]` is None",
        help="Put `nn.Identity()` into the list instead of None, and change code that tests its items for None.",
    )
