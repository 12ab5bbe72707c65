"""# Call that relies on None for a Tensor parameter

## What it does

Finds calls of your own functions that leave out an argument, if the parameter has the default None, and either no
annotation or the annotation `Tensor`.

## Why TorchScript rejects it

Without an annotation the parameter is a Tensor, and the compiler cannot pass None for a Tensor. Inside the function,
the compiler drops the branch under `if mask is None:`, because a Tensor is never None.

```text
Unsupported value kind: Tensor
```

## Example

```python
import torch


def scaled(x: torch.Tensor, mask=None):
    if mask is None:
        return x
    return x * mask


def caller(x: torch.Tensor):
    return scaled(x)


scripted = torch.jit.script(caller)
inputs = (torch.rand(3),)
```

## Use instead

```python
from typing import Optional

import torch


def scaled(x: torch.Tensor, mask: Optional[torch.Tensor] = None):
    if mask is None:
        return x
    return x * mask


def caller(x: torch.Tensor):
    return scaled(x)


scripted = torch.jit.script(caller)
inputs = (torch.rand(3),)
```

## Fix safety

The fix annotates the parameter as `Optional`, with the type that its uses show. This is *safe* if the body, the default
and every call in the file agree on the type: Python ignores annotations. It is *unsafe* if only the body shows the
type, or if the type of an argument is not known: compiled code rejects other types. If nothing shows a type, the fix
writes `Optional[Tensor]`, which is *unsafe*: the compiler treats the parameter as a Tensor, but callers may pass
something different. There is no fix if the uses contradict each other.

For a parameter that is annotated as a Tensor, the annotation becomes `Optional[Tensor]`, which is *unsafe*: code that
uses the parameter without a test for None no longer compiles.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.project.definitions import Function
from tslint.rewrite.optional_tensor import as_optional, optional_help
from tslint.rewrite.type_reasons import callee
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.types import NoneDefaultOmitted

RULE = Rule(code="TS327", name="omitted-none-default", events=(NoneDefaultOmitted,))


def check(match: Match[NoneDefaultOmitted]) -> Iterator[Finding]:
    """Report the call, with a fix that annotates the parameter where it is defined."""
    name, function = match.event.name, match.event.function
    param = _parameter(match, function, name)
    fix = as_optional(match, param, likely="Tensor") if param is not None else None
    where = f"{function.owner.name}.{function.name}" if function.owner is not None else function.name
    help = f"In `{where}`, {optional_help(name, fix).replace('A', 'a', 1)}"
    if fix is None:
        help = f"In `{where}`, annotate it: `{name}: Optional[torch.Tensor] = None`, if callers pass a Tensor."
    if param is not None and param.annotation is None:
        help = f"Without an annotation, `{name}` is a Tensor. {help}"
    yield match.finding(
        f"{callee(match)} is called without `{name}`: its default is None, but its type is Tensor",
        help=help,
        fix=fix,
        mistake=param,
    )


def _parameter(match: Match, function: Function, name: str) -> cst.Param | None:
    """Return the parameter, if it is in the same file."""
    node = match.libcst(function.node) if function.module.source.path == match.source.path else None
    params = [*node.params.params, *node.params.kwonly_params] if isinstance(node, cst.FunctionDef) else []
    return next((each for each in params if each.name.value == name), None)
