"""# Method called through its class

## What it does

Finds `Base.forward(self, x)` and `nn.Linear.forward(self, x)` in compiled code.

## Why TorchScript rejects it

The compiler cannot read a method from the class of a module: `attribute lookup is not defined on python value of type
'type'`. If a module of the base class was compiled before, the compiler finds the method, but as a plain function. The
`self` of this function has no annotation, so it is a Tensor, and a module cannot be passed as a Tensor.

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

Move the body of the base's method into a method with another name, and call that:

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

If the base is in the same file, the fix moves the body of its method into a new method. The base's method then calls
the new method, and so does the method of the finding. This is *unsafe*: a class in another file may already have a
method with the new name.

If the call is `nn.Linear.forward(self, x)`, the fix writes `F.linear(x, self.weight, self.bias)`, which is *unsafe*,
too. Classes such as `nn.Conv2d` have a similar fix. For `nn.BatchNorm2d` and similar classes, only compiled code gets
the new form, and Python still calls the method.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.base_method import renamed, written_out
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.dataflow.inheritance import classes
from tslint.script.events.names import BaseMethodCall

RULE = Rule(code="TS216", name="base-method-call", events=(BaseMethodCall,))


def check(match: Match[BaseMethodCall]) -> Iterator[Finding]:
    """Report the call, with a fix that moves the method's body or writes out what it does."""
    node = match.node
    call = node if isinstance(node, cst.Call) else match.parent(node)
    callee = node.func if isinstance(node, cst.Call) else node
    fix = None
    help = f"Write out what {match.quote(callee)} does, or create an object of the class in `__init__` and call that."
    if isinstance(callee, cst.Attribute):
        if match.code(callee.value) in classes(match.file.tree):
            help = (
                f"Move the body of {match.quote(callee)} into a method with another name. Call that method on `self`."
            )
        if isinstance(call, cst.Call) and call.func is callee:
            fix = _fix(match, call, callee)
    yield match.finding(
        f"{match.quote(callee)} is called on the class, but TorchScript calls methods only on objects",
        help=help,
        fix=fix,
    )


def _fix(match: Match, call: cst.Call, callee: cst.Attribute) -> Fix | None:
    if not call.args or not m.matches(call.args[0], m.Arg(m.Name(match.self_name or ""), keyword=None, star="")):
        return None
    base, known, passed = match.code(callee.value), classes(match.file.tree), [*call.args[1:]]
    if base not in known:
        return written_out(match, base, callee.attr.value, call, passed)
    return renamed(match, known[base], call, callee, passed)
