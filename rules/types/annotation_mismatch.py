"""# Value that does not fit the annotation of its variable

## What it does

Finds `name: T = value` where the value has another type.

## Why TorchScript rejects it

An annotated assignment converts nothing: not a bool to an int, not an int to a float, not a tuple to a list, and a
`List[None]` is no `List[Optional[Tensor]]`.

```text
Variable 'scale' is annotated with type float but is being assigned to a value of type int
```

## Example

```python
import torch


def scaled(x: torch.Tensor) -> torch.Tensor:
    scale: float = 2
    return x * scale


scripted = torch.jit.script(scaled)
inputs = (torch.rand(3),)
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor) -> torch.Tensor:
    scale: float = 2.0
    return x * scale


scripted = torch.jit.script(scaled)
inputs = (torch.rand(3),)
```

## Fix safety

Writing an int as a float is for compiled code alone, `x: float = 2.0 if torch.jit.is_scripting() else 2`, and *unsafe*:
`2` and `2.0` give an integer tensor another dtype. Other types have no fix.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.scripted_form import as_float, either_fix
from tslint.rewrite.type_wording import a, because, quote, said
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule(code="TS322", name="annotation-mismatch", events=("annotation-mismatch",))


def check(match: Match) -> Iterator[Finding]:
    """Name both types."""
    facts, node = match.event.facts, match.event.node
    name, declared, actual = facts["name"], facts["declared"], facts["actual"]
    fix: Fix | None = None
    help = because(match, node, actual) or f"Assign {a(declared)}, or annotate `{name}: {said(actual)}`."
    if declared == "float" and actual == "int" and isinstance(node, ast.expr):
        text = as_float(match, node)
        fix = either_fix(match, node, text, f"Write `{text}` in compiled code", Risk.DIFFERS)
        help = f"Write `{as_float(match, node)}`."
    elif declared.startswith("List[Optional[") and actual == "List[NoneType]":
        help = f"Start with `{name}: {said(declared)} = []` and append None."
    yield match.finding(
        f"`{name}` is annotated as {said(declared)}, but {quote(match, node)} is {a(actual)}", help=help, fix=fix
    )
