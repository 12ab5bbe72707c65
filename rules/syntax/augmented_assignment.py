"""# `//=` or `@=` in compiled code

## What it does

Finds `//=` and `@=` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The other augmented assignments compile; these two are not in the front end's table.

```text
unsupported kind of augmented assignment: FloorDiv
unsupported kind of augmented assignment: MatMult
```

## Example

```python
import torch


def halved(n: int) -> int:
    n //= 2
    return n


scripted = torch.jit.script(halved)
inputs = (7,)
```

## Use instead

```python
import torch


def halved(n: int) -> int:
    n = n // 2
    return n


scripted = torch.jit.script(halved)
inputs = (7,)
```

## Fix safety

Writing the operation out is *safe* for a parameter that is annotated as a number, and for `@=` on a plain name
(tensors have no `@=` of their own, so Python writes it out already). Otherwise it is *unsafe*: `//=` changes a
tensor in place, so that other names of the same tensor see it, and an attribute or item is evaluated twice.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.rule import Finding, Rule, safe, unsafe
from tslint.rules.syntax._common import compiled_function, operand, replace

RULE = Rule(code="TS123", name="augmented-assignment", events=("augmented-assignment",))


def check(match: Match) -> Iterator[Finding]:
    """Write the operation out."""
    node, operator = match.event.node, match.event.facts["operator"]
    fix = None
    if isinstance(node, ast.AugAssign):
        target = match.text(node.target)
        text = f"{target} = {target} {operator} {operand(match, node.value)}"
        make = safe if _harmless(match, node) else unsafe
        fix = make(f"Write `{operator}=` out", replace(match, node, text))
    yield match.finding(
        f"`{operator}=` cannot be compiled",
        help=f"Write it out: `a = a {operator} b`.",
        fix=fix,
    )


def _harmless(match: Match, node: ast.AugAssign) -> bool:
    """Whether a new value in the target's place is the same as changing the old one."""
    if not isinstance(node.target, ast.Name):
        return False
    if isinstance(node.op, ast.MatMult):
        return True
    function = compiled_function(match)
    for argument in (*function.args.args, *function.args.kwonlyargs) if function is not None else ():
        if argument.arg == node.target.id and argument.annotation is not None:
            return match.text(argument.annotation) in ("int", "float", "bool")
    return False
