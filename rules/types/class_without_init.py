"""# Instance of a class without its own `__init__`

## What it does

Finds compiled code that creates an instance of a class without an `__init__` in its body.

## Why TorchScript rejects it

To create an instance, the compiler compiles the class's own `__init__`. It does not use an inherited one, not even that
of `object`.

```text
Class Counter does not have an __init__ function defined
```

## Example

```python
import torch


class Counter:
    def step(self) -> int:
        return 1


def count(x: torch.Tensor) -> torch.Tensor:
    return x + Counter().step()


scripted = torch.jit.script(count)
```

## Use instead

```python
import torch


class Counter:
    def __init__(self):
        pass

    def step(self) -> int:
        return 1


def count(x: torch.Tensor) -> torch.Tensor:
    return x + Counter().step()


scripted = torch.jit.script(count)
inputs = (torch.rand(2),)
```

## Fix safety

No fix: only the author knows the attributes and their types.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.types import ClassWithoutInit

RULE = Rule(code="TS331", name="class-without-init", events=(ClassWithoutInit,))


def check(match: Match[ClassWithoutInit]) -> Iterator[Finding]:
    """Report the class, and whether it inherits an ``__init__``."""
    event = match.event
    name = event.name
    if event.inherited:
        help = f"Write an `__init__` that sets every attribute, in the body of `{name}` itself."
        if event.of_package:
            help = (
                f"`{name}` belongs to a package: move this code into a method marked `@torch.jit.unused`, and call the "
                "method under `if not torch.jit.is_scripting():`."
            )
        yield match.finding(
            f"`{name}` inherits its `__init__`, but the compiler only reads the body of `{name}`", help=help
        )
    else:
        call = match.node if isinstance(match.node, cst.Call) else match.parent(match.node)
        help = f"Add `def __init__(self):` to the body of `{name}`; write `pass` in it if there is nothing to set."
        around = match.parent(call) if call is not None else None
        if isinstance(around, cst.Attribute) and around.attr.value == "apply":  # of an autograd function
            help = f"Call `{name}.apply(…)`, without an instance."
        elif isinstance(call, cst.Call) and call.args:
            help = f"Make `{name}` a NamedTuple, or write an `__init__` in its body that takes these arguments."
        yield match.finding(f"`{name}` has no `__init__`, so compiled code cannot create an instance", help=help)
