"""# Property that raises when the compiler reads it

## What it does

Finds properties of a module that always raise an exception, or raise one until an attribute is set. Every
`LightningModule` has one: `trainer`. A module that also derives from `torch.distributions.Distribution` or `Transform`
inherits such properties.

## Why TorchScript rejects it

The compiler reads every attribute of a module once, to find exported methods. It ignores an `AttributeError`. Any other
exception ends the compilation, even if no compiled code uses the property.

```text
attach a trainer first
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    @property
    def trainer(self):
        raise RuntimeError("attach a trainer first")

    def forward(self, x):
        return self.linear(x)


inputs = (torch.rand(2, 3),)
```

## Use instead

List the property in `__jit_ignored_attributes__` of the class whose body has it. `@torch.jit.unused` is not enough. The
list works only for properties in the body of the class itself: a subclass must define the property again.

```python
import torch
from torch import nn


class Net(nn.Module):
    __jit_ignored_attributes__ = ["trainer"]

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    @property
    def trainer(self):
        raise RuntimeError("attach a trainer first")

    def forward(self, x):
        return self.linear(x)


inputs = (torch.rand(2, 3),)
```

A `LightningModule` has a method that scripts it: `net.to_torchscript()`.

## Fix safety

No fix: only the author knows whether compiled code needs the property.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import RaisingProperty

RULE = Rule(code="TS433", name="raising-property", events=(RaisingProperty,))


def check(match: Match[RaisingProperty]) -> Iterator[Finding]:
    """Report the statement that raises, or the base class that has the property."""
    event = match.event
    if event.unit is not None and event.unit.role == "property":
        yield match.finding(
            f"the property `{event.name}` raises when it is read, and the compiler reads every property",
            help=f'Write `__jit_ignored_attributes__ = ["{event.name}"]` in the body of this class.',
        )
    else:
        yield match.finding(
            f"`{event.owner}` inherits `{event.name}`, a property that raises when the compiler reads it",
            help=_help(event),
        )


def _help(event: RaisingProperty) -> str:
    if event.base:
        return (
            f"Derive `{event.owner}` from nn.Module alone: the compiler rejects other members of `{event.base}`, too."
        )
    if event.name == "trainer":
        return "Script the module by its method, `net.to_torchscript()`."
    return f"Override `{event.name}` in `{event.owner}` so that it does not raise."
