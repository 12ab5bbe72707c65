"""# Method that the compiled module does not have

## What it does

Finds calls of a method that a compiled module does not have, also if the same function has saved and loaded the module.

## What goes wrong

The compiler compiles `forward`, the methods marked `@torch.jit.export`, and all functions that these call. The compiled
module has no other methods, except those marked `@torch.jit.ignore` or `@torch.jit.unused`. A module that was saved and
loaded does not have these either.

```text
'RecursiveScriptModule' object has no attribute 'predict'
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * 2

    def predict(self, x: torch.Tensor):
        return self.forward(x) + 1


def ship(path):
    net = torch.jit.script(Net())
    net.save(path)
    loaded = torch.jit.load(path)
    return loaded.predict(torch.ones(3))


inputs = (torch.ones(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * 2

    @torch.jit.export
    def predict(self, x: torch.Tensor):
        return self.forward(x) + 1


def ship(path):
    net = torch.jit.script(Net())
    net.save(path)
    loaded = torch.jit.load(path)
    return loaded.predict(torch.ones(3))


inputs = (torch.ones(3),)
```

## Fix safety

No fix: `@torch.jit.export` belongs above the method, which may be in another file and may not compile yet.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import UnexportedMethod

RULE = Rule(code="TS806", name="unexported-method", events=(UnexportedMethod,), stage=Stage.LOAD)


def check(match: Match[UnexportedMethod]) -> Iterator[Finding]:
    """Report the call of a method that the compiled module does not have."""
    event = match.event
    where = "after saving and loading" if event.loaded else "after scripting"
    yield match.finding(
        f"`{event.class_name}` has no `{event.name}` {where}: the compiler leaves this method out",
        help=f"Put `@torch.jit.export` above `{event.class_name}.{event.name}`.",
    )
