"""# A class that cannot be scripted

## What it does

Finds classes under `torch.jit.script` or `torch.jit.interface` that inherit from another class, module classes that are
passed to `torch.jit.script` instead of an instance, and methods of an interface that have no return annotation, or
whose body is not `pass`.

## Why TorchScript rejects it

A compiled class cannot have a base class. An interface only declares signatures, so each method needs a return
annotation. `torch.jit.script` reads the attributes of a module, so it needs an instance and not the class.

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

No fix: only the author knows which parts of the base class are needed.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.types import InterfaceMethod, ScriptedClass

RULE = Rule(code="TS342", name="scripted-class", events=(ScriptedClass, InterfaceMethod))


def check(match: Match[ScriptedClass | InterfaceMethod]) -> Iterator[Finding]:
    """Report a class that cannot be scripted, or a method that an interface cannot have."""
    name, what = match.event.name, match.event.what
    if what == "return":
        yield match.finding(
            f"`{name}` is a method of an interface, but has no return annotation",
            help=f"Annotate what `{name}` returns; write `-> None` if it returns nothing.",
        )
    elif what == "body":
        yield match.finding(
            f"`{name}` is a method of an interface, but its body is not `pass`",
            help="Write `pass`: an interface only declares signatures.",
        )
    elif what == "module":
        yield match.finding(
            f"`{name}` is a module class, but `torch.jit.script` needs an instance",
            help=f"Pass an instance: `{name}(…)`.",
        )
    else:
        yield match.finding(
            f"`{name}` inherits from another class, which a compiled {what} cannot do",
            help=f"Write all methods into `{name}` itself{', or derive from `nn.Module`' * (what == 'interface')}.",
        )
