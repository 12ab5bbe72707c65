"""# None default of a parameter without annotation: the module cannot be saved

## What it does

Finds parameters of compiled functions and methods that have no annotation, or the annotation `Tensor`, and None for
their default, in code that a compiled module holds. It is no matter for who only runs compiled modules and never saves
one: `ignore = ["unsaveable-none-default"]` turns it off.

## Why TorchScript rejects it

It does not: without an annotation the parameter is a Tensor, and None becomes an undefined tensor as its default. It
compiles, and runs; but no archive can hold an undefined tensor, not even where every caller gives the argument.

```text
strides() called on an undefined Tensor
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, mask=None):
        return x if mask is None else x * mask


inputs = (torch.ones(3), torch.ones(3))
```

## Use instead

```python
from typing import Optional

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None):
        return x if mask is None else x * mask


inputs = (torch.ones(3), torch.ones(3))
```

## Fix safety

The annotation is *safe* where the body, the default and every call in the file agree on it: Python does not look at
annotations. Where only the body shows it, as the function is called by nobody or by somebody whose types are not seen,
it is *unsafe*: compiled code refuses anything else. Where nothing shows a type, the Tensor that the compiler takes it
for is shown and never applied. There is none where they contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Stage
from tslint.rewrite.annotate import annotation_of
from tslint.rewrite.optional_tensor import as_optional
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, for_a_person
from tslint.script.events.hazards import UnsaveableNoneDefault

RULE = Rule("TS810", "unsaveable-none-default", events=(UnsaveableNoneDefault,), stage=Stage.SAVE)


def check(match: Match[UnsaveableNoneDefault]) -> Iterator[Finding]:
    """Annotate it."""
    name, function = match.event.name, match.event.function
    param = match.libcst(match.event.argument)
    what = "has no annotation" if annotation_of(param) is None else "is annotated as a Tensor"
    yield match.finding(
        f"`{name}` {what} and has None for its default: `{function.name}` compiles, but what holds it cannot be saved",
        help=f"Annotate it: `{name}: Optional[torch.Tensor] = None`.",
        fix=as_optional(match, param) or for_a_person(as_optional(match, param, likely="Tensor")),
        mistake=param,
    )
