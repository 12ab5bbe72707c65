"""# Type test of a submodule

## What it does

Finds `isinstance(self.layer, Layer)` in code that `torch.jit.script` compiles.

## What goes wrong

TorchScript accepts it, but modules of one class have different types if their constants, attributes or submodules
differ. Only the first of these types has the name of the class, and `isinstance` compares names, so it is False for the
other types. If no module of the class has been compiled yet, the compiler stops with `Unknown type name`.

## Example

```python
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(4, width)

    def forward(self, x):
        return self.linear(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Layer(4)
        self.last = Layer(2)

    def forward(self, x):
        x = self.first(x)
        if isinstance(self.last, Layer):
            x = self.last(x)
        return x


inputs = (torch.rand(3, 4),)
```

## Use instead

```python
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(4, width)

    def forward(self, x):
        return self.linear(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Layer(4)
        self.last = Layer(2)
        self.is_layer = isinstance(self.last, Layer)

    def forward(self, x):
        x = self.first(x)
        if self.is_layer:
            x = self.last(x)
        return x


inputs = (torch.rand(3, 4),)
```

## Fix safety

No fix: other code may replace the module after `__init__`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import ModuleTypeTest

RULE = Rule(code="TS620", name="module-type-test", events=(ModuleTypeTest,), severity=Severity.WARNING)


def check(match: Match[ModuleTypeTest]) -> Iterator[Finding]:
    """Report an ``isinstance`` test whose result depends on which type of the class is compiled first."""
    yield match.finding(
        f"{match.event_text} may be false in TorchScript: a class can be several types",
        help="Test in `__init__`, and store the result in a `bool` attribute. Instances whose constants or submodules "
        "differ have different types in TorchScript.",
    )
