"""# Variable annotated again in an inner block

## What it does

Finds `name: type = value` inside `if`, `for`, `while` and `with` where the variable exists already outside, in code
that `torch.jit.script` compiles.

## Why TorchScript rejects it

A variable of an outer block keeps its type; an annotation would declare another one.

```text
Attempting to declare and annotate the type of variable 'steps' but it is already defined in an outer block
```

## Example

```python
import torch


def count(x: torch.Tensor) -> int:
    steps: int = 0
    if x.size(0) > 1:
        steps: int = 1
    return steps


scripted = torch.jit.script(count)
inputs = (torch.rand(3),)
```

## Use instead

```python
import torch


def count(x: torch.Tensor) -> int:
    steps: int = 0
    if x.size(0) > 1:
        steps = 1
    return steps


scripted = torch.jit.script(count)
inputs = (torch.rand(3),)
```

## Fix safety

Removing the second annotation is *safe*: Python never looks at it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.annotate import place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS505", name="annotated-twice", events=("annotated-twice",))


def check(match: Match) -> Iterator[Finding]:
    """Remove the inner annotation."""
    name, statement = match.event.facts["name"], match.event.facts["statement"]
    fix: Fix | None = None
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        _, name_end = place(match, statement.target)
        _, annotation_end = place(match, statement.annotation)
        fix = safe("Remove the annotation", Edit(name_end, annotation_end, ""))
    yield match.finding(
        f"`{name}` is annotated again here, but it is a variable of an outer block already",
        help=f"Annotate `{name}` once, where the outer block first assigns it.",
        fix=fix,
    )
