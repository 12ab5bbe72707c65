"""# A lazy module that has not run

## What it does

Finds `nn.LazyLinear` and other lazy classes in modules that are compiled.

## Why TorchScript rejects it

A lazy module creates its parameters with its first input. Before that, it cannot be compiled.

```text
'torch.nn.modules.linear.LazyLinear' has uninitialized parameters weight. Did you forget to run a forward pass?
```

## Example

```python
import torch
from torch import nn

net = nn.LazyLinear(3)
scripted = torch.jit.script(net)
```

## Use instead

Write the size, or run the module once on an input before `torch.jit.script`:

```python
import torch
from torch import nn

net = nn.Linear(4, 3)
scripted = torch.jit.script(net)
```

## Fix safety

No fix: only the author knows the size.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import LazyModule

RULE = Rule(code="TS424", name="lazy-module", events=(LazyModule,))


def check(match: Match[LazyModule]) -> Iterator[Finding]:
    """Report the creation of a lazy module."""
    name, attribute = match.event.name, match.event.attribute
    if attribute:
        yield match.finding(
            f"`{attribute}` has no size before the first input of `{name}`, and cannot be compiled until then",
            help="Run the module once before `torch.jit.script`.",
        )
        return
    yield match.finding(
        f"`nn.{name}` has no parameters before its first input, and cannot be compiled until then",
        help=(f"Run the module once before `torch.jit.script`, or use `nn.{name.removeprefix('Lazy')}` with its size."),
    )
