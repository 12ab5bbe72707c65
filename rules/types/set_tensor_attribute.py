"""# Setting an attribute of a Tensor

## What it does

Finds `x.requires_grad = …`, `x.data = …`, `x.grad = None` and other attributes that are set on a Tensor.

## Why TorchScript rejects it

Only attributes of modules and of compiled classes can be set.

```text
Tried to set an attribute: requires_grad on a non-class: Tensor
```

## Example

```python
import torch


def leaf(x: torch.Tensor) -> torch.Tensor:
    y = x.detach().clone()
    y.requires_grad = True
    return y


scripted = torch.jit.script(leaf)
inputs = (torch.rand(3),)
```

## Use instead

```python
import torch


def leaf(x: torch.Tensor) -> torch.Tensor:
    y = x.detach().clone()
    y.requires_grad_(True)
    return y


scripted = torch.jit.script(leaf)
inputs = (torch.rand(3),)
```

## Fix safety

`requires_grad_(…)` does the same as the assignment: *safe*. So does `x.data.mul_(v)` for `x.data *= v`.
`x.data = v` becomes `x.data.copy_(v)`, which is *unsafe*: the tensor keeps its own memory, shape and dtype.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Fix
from tslint.rule import Finding, Rule
from tslint.rules.types._common import parent, unannotated

RULE = Rule(code="TS324", name="set-tensor-attribute", events=("set-tensor-attribute",))
_ADVICE = {
    "requires_grad": "Call `.requires_grad_(…)`.",
    "data": "Write into it: `with torch.no_grad(): x.copy_(value)`; or make it a new variable.",
    "grad": "Leave gradients to the training loop, outside the compiled code.",
}


def check(match: Match) -> Iterator[Finding]:
    """Call the method that does the same."""
    facts, node = match.event.facts, match.event.node
    attribute, owner = facts["attribute"], facts["owner"]
    help = _ADVICE.get(attribute)
    argument = unannotated(match, node.value) if isinstance(node, ast.Attribute) else None
    if help is None and argument is not None:
        help = f"`{owner}` has no annotation, so it is a Tensor: annotate it with its class if it is none."
    yield match.finding(
        f"`{owner}.{attribute} = …`: TorchScript cannot set an attribute of a Tensor",
        help=help or "Keep the value in a variable, or in an attribute of the module.",
        fix=_fix(match, node),
    )


def _fix(match: Match, node: ast.AST) -> Fix | None:
    statement = parent(match, node)
    if not isinstance(node, ast.Attribute) or node.attr not in ("requires_grad", "data"):
        return None
    owner = match.text(node.value)
    if isinstance(statement, ast.AugAssign) and node.attr == "data" and type(statement.op) in _IN_PLACE:
        dict[type[ast.operator], str] = {ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_"}
