"""# Unpacking into the wrong number of names

## What it does

Finds unpackings of a tuple of known length into another number of names.

## Why TorchScript rejects it

A tuple's length is part of its type, so the compiler checks it.

```text
need 3 values to unpack but found only 2
too many values to unpack: need 1 but found 2
```

## Example

```python
import torch


def largest(x: torch.Tensor) -> torch.Tensor:
    values, indices, rest = x.max(dim=1)
    return values


scripted = torch.jit.script(largest)
```

## Use instead

```python
import torch


def largest(x: torch.Tensor) -> torch.Tensor:
    values, indices = x.max(dim=1)
    return values


scripted = torch.jit.script(largest)
inputs = (torch.rand(2, 3),)
```

## Fix safety

No fix: only the author knows which values are wanted. Eager mode usually fails there, too.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.dataflow.methods import definitions_of
from tslint.script.events.types import UnpackCount

RULE = Rule(code="TS309", name="unpack-count", events=(UnpackCount,))


def check(match: Match[UnpackCount]) -> Iterator[Finding]:
    """Report the number of names and the number of values."""
    needed, found = match.event.needed, match.event.found
    names, values = "name" if needed == 1 else "names", "value" if found == 1 else "values"
    yield match.finding(
        f"{needed} {names} on the left, but {found} {values} to unpack",
        help=f"Write one variable for each value; use `_` for values that you do not need.{_returned(match)}",
    )


def _returned(match: Match[UnpackCount]) -> str:
    """Return what else to do if the values are the result of a call."""
    assignment = match.enclosing(cst.Assign)
    value = assignment.value if assignment is not None else None
    if not isinstance(value, cst.Call) or not m.matches(
        value.func, m.Name() | m.Attribute(m.Name(match.self_name or ""))
    ):
        return ""
    name = value.func.attr.value if isinstance(value.func, cst.Attribute) else match.code(value.func)
    if not any(getattr(each, "returns", None) for each in definitions_of(match.file.tree, name)):
        return ""  # a module, for example, has no annotation to correct
    return f" If {match.quote(value.func)} returns {match.event.needed} values, correct its return annotation."
