"""# Assignment to an attribute that the module does not have

## What it does

Finds `self.x = value` in code that `torch.jit.script` compiles where `__init__` sets no `x`, or `x` is a constant.

## Why TorchScript rejects it

A compiled module has the attributes that it was built with, and no others. Constants (`Final`, `__constants__`) are
part of the code and cannot change and cannot change.

```text
Tried to set nonexistent attribute: last. Did you forget to initialize it in __init__()?
```

## Example

```python
import torch
from torch import nn


class Scale(nn.Module):
    def forward(self, x):
        self.last = x.size(0)
        return x * 2


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = 0

    def forward(self, x):
        self.last = x.size(0)
        return x * 2


inputs = (torch.rand(2, 3),)
```

## Fix safety

Where nothing in the file reads the attribute (it is kept for a person to look at), and its value is computed without
an effect, Python alone goes on setting it: `if not torch.jit.is_scripting():`. That is *unsafe*, as the compiled module
has no such attribute. Otherwise there is no fix: what the attribute holds before the first call is the author's
decision.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.scripting import eager_only
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.dataflow.attribute_uses import read_attributes
from tslint.script.dataflow.evaluation import quiet
from tslint.script.events.modules import SetMissingAttribute
from tslint.script.types import plain

RULE = Rule(code="TS411", name="set-missing-attribute", events=(SetMissingAttribute,))
_ZERO = {"int": "0", "float": "0.0", "bool": "False", "str": '""'}


def check(match: Match[SetMissingAttribute]) -> Iterator[Finding]:
    """Say what to set, and where."""
    event = match.event
    name, target = event.attribute, f"{event.owner}.{event.attribute}"
    why = event.why
    given = plain(event.given) if event.given is not None else ""
    if why == "constant":
        message = f"`{target}` is a constant of the class and cannot be assigned"
        help = f"Remove `Final` (or the entry in `__constants__`) from `{name}` if it changes."
    elif why == "inconvertible":
        message = f"`{target}` is a Python {event.detail} at first, which TorchScript does not have"
        help = f"Annotate `{name}` in the class body with a TorchScript type."
    elif why == "class-variable":
        message = f"`{target}` is a class variable: the module itself has no such attribute"
        help = f"Set `self.{name}` in `__init__` first."
    else:
        message = f"`{target}` is assigned here, but `__init__` does not set it"
        help = (
            f"Set `self.{name} = {_ZERO[given]}` in `__init__` first."
            if given in _ZERO
            else f"Set `self.{name}` in `__init__` first."
        )
        if given == "Tensor":
            help += f" To begin with None, annotate `{name}: Optional[Tensor]` in the class body."
    yield match.finding(message, help=help, fix=_fix(match) if why == "absent" else None)


def _fix(match: Match[SetMissingAttribute]) -> Fix | None:
    """Python alone keeps what nobody reads."""
    member, line, tree = match.statement(), match.line(match.node), match.file.tree
    if line is None or not isinstance(member, cst.Assign) or len(member.targets) != 1:
        return None
    if not isinstance(member.targets[0].target, cst.Attribute) or match.event.attribute in read_attributes(tree):
        return None
    return eager_only(match, [line], "Keep it in eager mode only") if quiet(match.model(member.value)) else None
