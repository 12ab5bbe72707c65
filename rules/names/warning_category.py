"""# Category of a warning

## What it does

Finds `warnings.warn("text", SomeWarning)` in compiled code.

## Why TorchScript rejects it

`warnings.warn` compiles, but exception classes are not values in TorchScript, so compiled code cannot pass a category.

```text
Python exception cannot be used as a value
```

## Example

```python
import warnings

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.shape[0] == 0:
            warnings.warn("empty batch", UserWarning)
        return x


inputs = (torch.rand(3),)
```

## Use instead

```python
import warnings

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.shape[0] == 0:
            warnings.warn("empty batch")
        return x


inputs = (torch.rand(3),)
```

## Fix safety

The fix removes `UserWarning`, which is the default category. This is *safe*. A stack level after the category becomes a
keyword argument, such as `stacklevel=2`. For any other category, the fix puts the statement under `if not
torch.jit.is_scripting():`. This is *unsafe*: Python warns as before, and the compiled model does not.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.not_values import category_of
from tslint.rewrite.scripting import eager_only
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.events.names import NotAValue

RULE = Rule(code="TS222", name="warning-category", events=(NotAValue,))
_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


def check(match: Match[NotAValue]) -> Iterator[Finding]:
    """Report the category, with a fix that removes it or makes the call run in eager mode only."""
    call = category_of(match)
    if call is None:
        return
    yield match.finding(
        f"{match.event_text} is an exception class, and `warnings.warn` takes no category in compiled code",
        help="Remove the category, or warn under `if not torch.jit.is_scripting():`.",
        fix=_fix(match, call),
    )


def _fix(match: Match[NotAValue], call: cst.Call) -> Fix | None:
    if match.event.name == "builtins.UserWarning" and len(call.args) > 1:
        text, category, *rest = call.args
        plain = category.value is match.node and category.keyword is None and not any(each.star for each in call.args)
        level = rest[0] if rest and rest[0].keyword is None else None
        if plain and (level is None or all(each.keyword is not None for each in rest[1:])):
            # If the level stayed positional, it would become the category.
            named = [level.with_changes(keyword=cst.Name("stacklevel"), equal=_EQUAL)] if level is not None else []
            left = call.with_changes(args=[text.with_changes(comma=category.comma), *named, *rest[len(named) :]])
            return safe("Remove the category", lambda: match.replace(call, left))
    member, line = match.statement(call), match.line(call)
    alone = isinstance(member, cst.Expr) and member.value is call
    return eager_only(match, [line]) if alone and line is not None else None
