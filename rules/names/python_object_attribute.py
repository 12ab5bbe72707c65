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

from tslint.rewrite.loops import names_in
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
            help=f"Call the function itself; if {short(name)} should be a module, import that module."
            if isinstance(_whole(match), cst.Call)
            else "Store the value in an attribute of the module, or pass it as an argument.",
        )
        return
    if type_name == "type":
        yield match.finding(
            f"{short(name)} is a class: compiled code cannot read its `{attribute}`",
            help=_of_class(match, name, attribute),
        )
        return
    yield match.finding(
        f"{short(name)} is an object of `{type_name}`: compiled code cannot read its `{attribute}`",
        help=_of_object(match, type_name),
    )


def _of_object(match: Match[UnsupportedExternalAttribute], type_name: str) -> str:
    """Return the help for an attribute or a method of a global object."""
    whole = _whole(match)
    if type_name in ("list", "dict"):
        return f"Create the {type_name} in this function, or pass it as an argument."
    if isinstance(whole, cst.Call) and any(match.binds(each) for arg in whole.args for each in names_in(arg.value)):
        return "Move the call into a function that is marked `@torch.jit.ignore`: only Python can run it."
    if match.self_name is None:
        return f"Pass the value of {_read(match)} as an argument."
    return f"Read {_read(match)} in `__init__` and store the result on `self`, or pass the result as an argument."


def _of_class(match: Match[UnsupportedExternalAttribute], name: str, attribute: str) -> str:
    """Return the help for an attribute that is read from a class."""
    if not isinstance(_whole(match), cst.Call):
        return f"Read {_read(match)} outside compiled code, or write its value here."
    own = name == getattr(match.owner, "name", None) and match.self_name is not None
    instead = f"Write `{attribute}` as a function outside of the class."
    return f"Call `{match.self_name}.{attribute}(…)`." if own else instead


def _read(match: Match[UnsupportedExternalAttribute]) -> str:
    """Return what Python should evaluate: the attribute, an attribute of it, or the call of the method."""
    whole = _whole(match)
    return short(f"{match.event.name}.{match.event.attribute}") if whole is None else match.quote(whole)


def _whole(match: Match[UnsupportedExternalAttribute]) -> cst.BaseExpression | None:
    """Return the chain of attributes that begins with the event's, with the call at its end, if there is one."""
    node = match.node
    if not isinstance(node, (cst.Attribute, cst.Call)):
        return None
    while not isinstance(node, cst.Call):
        around = match.parent(node)
        if isinstance(around, cst.Attribute) or (isinstance(around, cst.Call) and around.func is node):
            node = around
        else:
            break
    return node
