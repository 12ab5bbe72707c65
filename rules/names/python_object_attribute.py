"""# Attribute of a Python object

## What it does

Finds attributes and methods of Python objects that are not values in TorchScript: global dictionaries and lists,
functions, dtypes.

## Why TorchScript rejects it

The compiler reads attributes of modules, of `self`, and of values that have a TorchScript type. It cannot read those of
any other object.

```text
attribute lookup is not defined on python value of type 'dict'
```

## Example

```python
import torch
from torch import nn

CONFIG = {"scale": 2.0}


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * CONFIG.get("scale", 1.0)
```

## Use instead

Read the value in `__init__`, where Python runs, and store what compiled code needs:

```python
import torch
from torch import nn

CONFIG = {"scale": 2.0}


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = CONFIG.get("scale", 1.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.scale


inputs = (torch.rand(3),)
```

## Fix safety

No fix: only the author knows when Python should read the value.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import short
from tslint.script.events.names import UnsupportedExternalAttribute

RULE = Rule(code="TS204", name="python-object-attribute", events=(UnsupportedExternalAttribute,))

_CALLABLES = {"function": "a function", "method": "a method", "builtin": "a function"}


def check(match: Match[UnsupportedExternalAttribute]) -> Iterator[Finding]:
    """Report the object and the attribute; loggers have a rule of their own."""
    name, type_name, attribute = (match.event.name, match.event.type_name, match.event.attribute)
    if type_name == "Logger":
        return
    if type_name in _CALLABLES or type_name.startswith("__"):
        yield match.finding(
            f"{short(name)} is {_CALLABLES.get(type_name, 'a function')}: compiled code cannot read its `{attribute}`",
            help=f"Call the function itself; if {short(name)} should be a module, import that module.",
        )
        return
    if type_name == "type":
        yield match.finding(
            f"{short(name)} is a class: compiled code cannot read its `{attribute}`",
            help=f"Call `self.{attribute}` if it is a static method, or write it as a function outside of the class.",
        )
        return
    yield match.finding(
        f"{short(name)} is an object of `{type_name}`: compiled code cannot read its `{attribute}`",
        help=f"Read {_read(match)} in `__init__` and store the result on `self`, or pass the result as an argument.",
    )


def _read(match: Match[UnsupportedExternalAttribute]) -> str:
    """Return what Python should evaluate: the attribute, or the call of the method."""
    whole = match.node if isinstance(match.node, cst.Call) else match.parent(match.node)
    if isinstance(whole, cst.Call) and (whole is match.node or whole.func is match.node):
        return match.quote(whole)
    return short(f"{match.event.name}.{match.event.attribute}")
