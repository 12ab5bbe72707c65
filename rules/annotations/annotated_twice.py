"""# Variable annotated again in an inner block

## What it does

Finds `name: type = value` inside `if`, `for`, `while` and `with` where an outer block already has the variable, in code
that `torch.jit.script` compiles.

## Why TorchScript rejects it

A variable of an outer block keeps its type, so it cannot be annotated again in an inner block.

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

Removing the second annotation is *safe*: Python ignores it.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.annotate import without_annotation
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.events.annotation import AnnotatedTwice

RULE = Rule(code="TS505", name="annotated-twice", events=(AnnotatedTwice,))


def check(match: Match[AnnotatedTwice]) -> Iterator[Finding]:
    """Report the second annotation, with a fix that removes it."""
    name, statement = match.event.name, match.statement()
    fix = None
    if isinstance(statement, cst.AnnAssign) and statement.value is not None:
        new = without_annotation(statement, statement.value)
        fix = safe("Remove the annotation", lambda: match.replace(statement, new))
    yield match.finding(
        f"`{name}` is annotated again here, but an outer block assigns it already",
        help=f"Annotate `{name}` only once: in the signature if it is a parameter, or where it is first assigned.",
        fix=fix,
    )
