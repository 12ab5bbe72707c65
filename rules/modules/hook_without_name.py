"""# Hook that is an object, on a module that is compiled

## What it does

Finds modules with a forward hook or pre-hook that is an instance of a class and not a function. Custom weight
normalisations ("equalised learning rate") often have this form.

## Why TorchScript rejects it

The compiler compiles every forward hook of every module as a function, and reads its name. An object with `__call__`
has no name.

```text
'Halve' object has no attribute '__name__'
```

## Example

```python
import torch
from torch import nn


class Halve:
    def __call__(self, module, inputs):
        return inputs


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        body = nn.Linear(3, 3)
        body.register_forward_pre_hook(Halve())
        self.body = body

    def forward(self, x):
        return self.body(x)
```

## Use instead

Move the code of the hook into a submodule, or into `forward`:

```python
import torch
from torch import nn


class Halve(nn.Module):
    def forward(self, x):
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.before = Halve()
        self.body = nn.Linear(3, 3)

    def forward(self, x):
        return self.body(self.before(x))
```

## Fix safety

No fix: the code of the hook must move into a module, and only the author knows where.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import HookWithoutName

RULE = Rule(code="TS419", name="hook-without-name", events=(HookWithoutName,))


def check(match: Match[HookWithoutName]) -> Iterator[Finding]:
    """Report the attribute whose module has the hook, and the class of the hook."""
    event = match.event
    yield match.finding(
        f"a hook of `self.{event.attribute}` is an object of `{event.hook}`: the compiler only accepts functions",
        help="Do what the hook does in `forward` or in a submodule, or remove the hook before scripting.",
    )
