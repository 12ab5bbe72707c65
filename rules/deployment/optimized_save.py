"""# Module that is saved after `optimize_for_inference`

## What it does

Finds calls that save the result of `torch.jit.optimize_for_inference`.

## What goes wrong

`optimize_for_inference` rewrites some layers, such as convolutions, for the current machine, with constants that an
archive cannot contain. Saving works, but loading fails if a layer was rewritten.

```text
required keyword attribute 'value' is undefined
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, x: torch.Tensor):
        return self.conv(x)


def ship(path):
    net = torch.jit.script(Net().eval())
    fast = torch.jit.optimize_for_inference(net)
    fast.save(path)
    return torch.jit.load(path)(torch.ones(1, 3, 8, 8))


inputs = (torch.ones(1, 3, 8, 8),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, x: torch.Tensor):
        return self.conv(x)


def ship(path):
    net = torch.jit.script(Net().eval())
    fast = torch.jit.freeze(net)
    fast.save(path)
    return torch.jit.load(path)(torch.ones(1, 3, 8, 8))


inputs = (torch.ones(1, 3, 8, 8),)
```

## Fix safety

No fix: save the frozen module, and optimize it after loading.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import OptimizedSave

RULE = Rule(code="TS808", name="optimized-save", events=(OptimizedSave,), severity=Severity.WARNING, stage=Stage.LOAD)


def check(match: Match[OptimizedSave]) -> Iterator[Finding]:
    """Report the call that saves the optimized module, and what to save instead."""
    yield match.finding(
        "this saves the result of `optimize_for_inference`, which cannot be loaded if a layer was rewritten",
        help="Save what `torch.jit.freeze` returns, and call `optimize_for_inference` after loading.",
    )
