"""# Static forward

## What it does

Finds a `forward` marked `@staticmethod`.

## Why TorchScript rejects it

The compiler ignores the decorator and treats `forward` as a method. Its first parameter is then the module, which no
operator accepts, and each call passes one argument too many.

```text
Arguments for call are not valid.
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    @staticmethod
    def forward(x):
        return x * torch.sigmoid(x)


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(x)


inputs = (torch.rand(3),)
```

## Fix safety

The fix makes `forward` a method. This is *unsafe*: code in another file may call `Net.forward(x)`. There is no fix if
this file does.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, unsafe
from tslint.script.dataflow.static_methods import can_take_instance
from tslint.script.events.modules import StaticForward

RULE = Rule(code="TS431", name="static-forward", events=(StaticForward,))

_CALLS = "code in other files may call `forward` on the class"


def check(match: Match[StaticForward]) -> Iterator[Finding]:
    """Report the method, with a fix that removes ``@staticmethod``."""
    function = match.event.function
    fix = None
    if can_take_instance(match.file.tree, function):
        fix = unsafe("Make `forward` a method", lambda: _method(match, match.libcst(function)), assumes=_CALLS)
    yield match.finding(
        "`forward` is static, and TorchScript treats its first parameter as `self`",
        help="Remove `@staticmethod`, and write `self` before its parameters.",
        fix=fix,
    )


def _method(match: Match, function: cst.CSTNode) -> tuple[Edit, ...]:
    assert isinstance(function, cst.FunctionDef)
    itself = cst.Param(cst.Name("self"), comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
    params = function.params
    if params.posonly_params:
        params = params.with_changes(posonly_params=[itself, *params.posonly_params])
    else:
        params = params.with_changes(params=[itself, *params.params])
    return match.rewrite(function, function.with_changes(decorators=[], params=params))
