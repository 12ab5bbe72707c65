"""# `hasattr` of a value

## What it does

Finds `hasattr(x, "name")` and `getattr(x, "name", default)` where `x` is a tensor, a number, a string, a list or a
dictionary.

## Why TorchScript rejects it

The compiler evaluates `hasattr` and `getattr` itself, when it compiles the code. It can do this only for modules,
script classes and named tuples, not for values of other types.

```text
hasattr's first argument must be an object or NamedTuple, got Tensor instead
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if hasattr(x, "scale"):
            return x * x.scale
        return x
```

## Use instead

Make the optional part a parameter with an Optional annotation, and test it for None:

```python
from typing import Optional

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, scale: Optional[torch.Tensor] = None) -> torch.Tensor:
        if scale is not None:
            return x * scale
        return x


inputs = (torch.rand(3),)
```

## Fix safety

No fix: only the author knows the purpose of the test.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst
import libcst.matchers as m

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import a
from tslint.script.events.names import HasattrOfValue
from tslint.script.types import ANY, is_inferred

RULE = Rule(code="TS219", name="hasattr-of-value", events=(HasattrOfValue,))


def check(match: Match[HasattrOfValue]) -> Iterator[Finding]:
    """Report the value's type, and where the type comes from."""
    type_ = match.event.type
    value = match.event_text
    call = next(each for each in match.ancestors(match.node) if isinstance(each, cst.Call))
    reads = m.matches(call.func, m.Name("getattr"))
    test = "`getattr` with a default" if reads else "`hasattr`"
    if is_inferred(type_):
        message = f"{test} does not work on {value}: it has no annotation, so it is a Tensor"
        way = "write the default itself" if reads else "remove the test"
        help = f"If {value} is always a Tensor, {way}. Otherwise, annotate it, for example as a NamedTuple."
    else:
        message = f"{test} works on modules, class instances and named tuples, but {value} is {a(type_)}"
        way = (
            f"Write the default itself, or the attribute if {a(type_)} has it"
            if reads
            else f"Remove the test, and keep the branch for {a(type_)}"
        )
        help = f"{way}: a value has one type in TorchScript."
        if type_ == ANY:
            help = "Test the type instead, with `torch.jit.isinstance`."
    yield match.finding(message, help=help)
