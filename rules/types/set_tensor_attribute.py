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

`requires_grad_(True)` does the same as the assignment: *safe*. Everything else is for compiled code alone, and Python
keeps the assignment: `x.data.mul_(v)` for `x.data *= v`, *safe*, too, and `x.data.copy_(v)` for `x.data = v`, which is
*unsafe*: the tensor keeps its own memory, shape and dtype there, and `copy_` raises for another shape.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.scripted_form import both_ways
from tslint.rewrite.type_wording import parent, replace, unannotated
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe

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
        call = f"{owner}.data.{_IN_PLACE[type(statement.op)]}({match.text(statement.value)})"
        return _split(match, statement, call, "Call the method that does it in place")
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    if node.attr == "data":
        # In Python the tensor gets another memory, shape and dtype.
        call = f"{owner}.data.copy_({match.text(statement.value)})"
        return _split(
            match, statement, call, "Copy the values into the tensor in compiled code", Risk.DIFFERS, Risk.RAISES
        )
    call = f"{owner}.requires_grad_({match.text(statement.value)})"
    constant = isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, bool)
    if constant and unannotated(match, node.value) is None:
        return safe("Call `requires_grad_`", replace(match, statement, call))
    return _split(match, statement, call, "Call `requires_grad_` in compiled code")


def _split(match: Match, statement: ast.stmt, call: str, message: str, *risks: Risk) -> Fix | None:
    edits = both_ways(match, statement, [call]) if "\n" not in call else None
    if edits is None:
        return None
    return unsafe(message, *edits, risks=risks) if risks else safe(message, *edits)


_IN_PLACE: dict[type[ast.operator], str] = {ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_"}
