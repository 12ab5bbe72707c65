"""# A class that cannot be scripted

## What it does

Finds classes given to `torch.jit.script` or `torch.jit.interface` that inherit from another class, classes of modules
given to `torch.jit.script` in place of a module, and methods of an interface that do anything but `pass`, or do not say
what they return.

## Why TorchScript rejects it

A compiled class has no base class. An interface only declares signatures, and no result is inferred. A module is
compiled as it is built, so `torch.jit.script` needs the module, and not its class.

```text
TorchScript classes does not support inheritance yet. Please directly inherit from 'object'.
```

## Example

```python
import torch


class Counter:
    def __init__(self):
        self.count = 0


@torch.jit.script
class Steps(Counter):
    def __init__(self):
        self.count = 0
        self.steps = 1
```

## Use instead

```python
import torch


@torch.jit.script
class Steps:
    def __init__(self):
        self.count = 0
        self.steps = 1
```

## Fix safety

No fix: what the base class provides has to be written into the class.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.types import InterfaceMethod, ScriptedClass

RULE = Rule(code="TS342", name="scripted-class", events=(ScriptedClass, InterfaceMethod))


def check(match: Match[ScriptedClass | InterfaceMethod]) -> Iterator[Finding]:
    """Name the class, and what to give instead."""
    name, what = match.event.name, match.event.what
    if what == "return":
        yield match.finding(
            f"`{name}` of an interface does not say what it returns",
            help="Annotate its result; write `-> None` if there is none.",
        )
    elif what == "body":
        yield match.finding(
            f"the body of `{name}`, in an interface, must be `pass`",
            help="Write `pass`: an interface only declares signatures.",
        )
    elif what == "module":
        yield match.finding(
            f"`{name}` is a class of modules, and `torch.jit.script` takes a module",
            help=f"Pass an instance: `{name}(…)`.",
        )
    else:
        yield match.finding(
            f"`{name}` inherits, which a compiled {what} cannot",
            help=f"Write everything into `{name}` itself{', or derive from `nn.Module`' * (what == 'interface')}.",
        )
