"""# Attribute that the module does not have

## What it does

Finds `self.x` in code that `torch.jit.script` compiles where `__init__` sets no `x`, or sets it only in some
constructions of the module.

## Why TorchScript rejects it

The compiler reads the attributes of the module as it was built. It looks each one up wherever compiled code names it,
also in branches that are never taken.

```text
Module 'Net' has no attribute 'shortcut'
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, residual: bool = False):
        super().__init__()
        self.residual = residual
        if residual:
            self.shortcut = nn.Linear(3, 3)
        self.body = nn.Linear(3, 3)

    def forward(self, x):
        out = self.body(x)
        if self.residual:
            out = out + self.shortcut(x)
        return out


inputs = (torch.rand(2, 3),)
```

## Use instead

Set it in every construction (`None` where there is nothing), and test for `None`: the compiler drops such a branch.

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, residual: bool = False):
        super().__init__()
        self.shortcut = nn.Linear(3, 3) if residual else None
        self.body = nn.Linear(3, 3)

    def forward(self, x):
        out = self.body(x)
        if self.shortcut is not None:
            out = out + self.shortcut(x)
        return out


inputs = (torch.rand(2, 3),)
```

## Fix safety

No fix: what the attribute is to hold where it is not set is the author's decision.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.border import Match
from tslint.rule import Finding, Rule
from tslint.suggest import nearest

RULE = Rule(code="TS408", name="missing-attribute", events=("missing-attribute",))


def check(match: Match) -> Iterator[Finding]:
    """Say who does not set it."""
    facts = match.event.facts
    name, class_name = facts["attribute"], facts["class_name"]
    whole = f"{facts['owner']}.{name}"
    if match.event.condition is not None:
        message = f"`{whole}` does not exist: `{class_name}` sets it in other constructions only"
        help = (
            f"Set `{name}` to None where there is none, and use it under `if {whole} is not None:`; or test a flag that"
            " is declared `Final[bool]` in the class body. TorchScript drops such a branch, others it compiles."
        )
    elif facts["detail"]:
        message = f"`{whole}` is annotated in the class body of `{class_name}`, but no constructor sets it"
        help = f"Set `{name}` in `__init__`."
    elif name.startswith("_") and name in ("_modules", "_parameters", "_buffers", "__dict__", "__class__"):
        message = f"`{whole}` is not visible to TorchScript"
        help = "Go through the attributes by their names, or through `named_children()` of a container."
    else:
        message = f"`{whole}` does not exist: no constructor of `{class_name}` sets it"
        close = nearest(name, [member for member in facts["members"] if not member.startswith("__")])
        help = f"Did you mean `{facts['owner']}.{close}`?" if close else f"Set `{name}` in `__init__`."
    yield match.finding(message, help=help)
