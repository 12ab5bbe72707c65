"""# Method called through its class

## What it does

Finds `Base.forward(self, x)` and `nn.Linear.forward(self, x)` in compiled code.

## Why TorchScript rejects it

Read from its class, a method is a plain function to the compiler, whose unannotated `self` is a Tensor; a module
cannot be passed for that. Classes of torch.nn cannot be read from at all.

```text
Expected a value of type 'Tensor (inferred)' for argument 'self' but instead found type '__torch__
forward(Tensor self, Tensor x) -> Tensor
```

## Example

```python
import torch
from torch import nn


class Base(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


class Net(Base):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return Base.forward(self, x) + 1


inputs = (torch.rand(3),)
```

## Use instead

Give the body of the base's method a name of its own:

```python
import torch
from torch import nn


class Base(nn.Module):
    def _base_forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self._base_forward(x)


class Net(Base):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self._base_forward(x) + 1


inputs = (torch.rand(3),)
```

## Fix safety

Splitting the base's method (where the base stands in the same file, and all classes there have one base) is *unsafe*:
classes of other files are not seen.
Where the class is `nn.Linear`, `nn.Conv2d` or the like, the call is written out, which is *safe*.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.base_method import classes, renamed, written_out
from tslint.rewrite.statements import parent, place, quote, self_name
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule(code="TS216", name="base-method-call", events=("base-method-call",))


def check(match: Match) -> Iterator[Finding]:
    """Name the method; offer it under a name of its own."""
    node = match.event.node
    callee = node.func if isinstance(node, ast.Call) else node
    call = node if isinstance(node, ast.Call) else parent(match, node)
    yield match.finding(
        f"{quote(match, callee)} is called through the class, with a module for `self`: TorchScript cannot do that",
        help="Move its body into a method with a name of its own and call that on `self`, or call a submodule.",
        fix=_fix(match, callee, call)
        if isinstance(callee, ast.Attribute) and isinstance(call, ast.Call) and call.func is callee
        else None,
    )


def _fix(match: Match, callee: ast.Attribute, call: ast.Call) -> Fix | None:
    first = call.args[0] if call.args else None
    if not isinstance(first, ast.Name) or first.id != self_name(match):
        return None
    base, known = ast.unparse(callee.value), classes(match)
    if base not in known:
        return written_out(match, base, callee.attr, call, call.args[1:])
    following = [*call.args[1:2], *[k.value for k in call.keywords[:1]]]
    if call.keywords and len(call.args) == 1:
        return None
    start, end = place(match, first)
    drop = Edit(start, place(match, following[0])[0] if following else end, "")
    return renamed(match, known[base], callee.attr, callee, drop)
