"""# `Variable(...)` in compiled code

## What it does

Finds calls of `torch.autograd.Variable`.

## Why TorchScript rejects it

Tensors and Variables have been one since torch 0.4. The class is left for old code, and has nothing that could be
compiled.

```text
Class Variable does not have an __init__ function defined
```

## Example

```python
import torch
from torch import nn
from torch.autograd import Variable


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        noise = Variable(torch.zeros(3))
        return Variable(x) + noise


inputs = (torch.rand(3),)
```

## Use instead

The tensor itself; `detach()` where gradients must not flow back:

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        noise = torch.zeros(3)
        return x.detach() + noise


inputs = (torch.rand(3),)
```

## Fix safety

A fresh tensor is taken as it is: *safe*. Of others `x.detach()` is taken where it is compiled, and Python goes on with
`Variable`: *unsafe*, as compiled code has no `requires_grad=` and `volatile=`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Fix
from tslint.rewrite.statements import quote, replace
from tslint.rewrite.when_compiled import either
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS213", name="variable-call", events=("variable-call",))

_FRESH = frozenset(
    "zeros ones empty full rand randn randint randperm arange linspace eye tensor zeros_like ones_like empty_like "
    "full_like rand_like randn_like".split()
)


def check(match: Match) -> Iterator[Finding]:
    """Offer the tensor that the call would wrap."""
    call = match.event.node
    yield match.finding(
        f"{quote(match, call)}: tensors need no `Variable` around them, and TorchScript does not know it",
        help="Write the tensor itself, or `x.detach()` where no gradients should flow back.",
        fix=_fix(match, call) if isinstance(call, ast.Call) else None,
    )


def _fix(match: Match, call: ast.Call) -> Fix | None:
    flags = {keyword.arg: keyword.value for keyword in call.keywords}
    if len(call.args) != 1 or isinstance(call.args[0], ast.Starred) or set(flags) - {"requires_grad", "volatile"}:
        return None
    tensor = call.args[0]
    tight = isinstance(tensor, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
    text = match.text(tensor) if tight else f"({match.text(tensor)})"
    if not _fresh(tensor):
        text += ".detach()"
    wanted = flags.get("requires_grad")
    if wanted is not None and not (isinstance(wanted, ast.Constant) and wanted.value is False):
        text += f".requires_grad_({'' if isinstance(wanted, ast.Constant) else match.text(wanted)})"
    if not flags and _fresh(tensor):
        return safe("Write the tensor itself", replace(match, call, text))
    return either(match, call, text, "Write the tensor itself where it is compiled")


def _fresh(node: ast.expr) -> bool:
    """Whether an expression makes a tensor that has no gradient."""
    if not isinstance(node, ast.Call) or any(
        keyword.arg in (None, "requires_grad", "out") for keyword in node.keywords
    ):
        return False
    callee = node.func
    return (
        isinstance(callee, ast.Attribute)
        and isinstance(callee.value, ast.Name)
        and callee.value.id == "torch"
        and (callee.attr in _FRESH or callee.attr.endswith("Tensor"))
    )
