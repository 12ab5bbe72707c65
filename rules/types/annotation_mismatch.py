"""# Value that does not match the annotation of its variable

## What it does

Finds `name: T = value` where the value has another type.

## Why TorchScript rejects it

An annotated assignment converts nothing: not a bool to an int, not an int to a float, not a tuple to a list, and not a
`List[None]` to a `List[Optional[Tensor]]`.

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

If an int is annotated as float, compiled code gets a float: `scale: float = 2.0 if torch.jit.is_scripting() else 2`.
This is *unsafe*: a tensor of ints that is multiplied by `2.0` becomes a tensor of floats. Other types have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.compiled_form import as_float, in_compiled_code
from tslint.rewrite.type_reasons import because
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.template import code
from tslint.rulekit.wording import a, said
from tslint.script.events.types import AnnotationMismatch
from tslint.script.types import FLOAT, INT, NONE, ListType, optional_element

RULE = Rule(code="TS322", name="annotation-mismatch", events=(AnnotationMismatch,))


def check(match: Match[AnnotationMismatch]) -> Iterator[Finding]:
    """Report the value and both types, with a fix that writes an int as a float."""
    event, node = match.event, match.node
    name, declared, actual = event.name, event.declared, event.actual
    fix: Fix | None = None
    help = (
        because(match, node, actual)
        or f"Assign a value of type {said(declared)}, or annotate `{name}: {said(actual)}`."
    )
    if declared == FLOAT and actual == INT and isinstance(node, cst.BaseExpression):
        new = as_float(node)
        fix = in_compiled_code(match, node, lambda: new, f"Write `{code(new)}` in compiled code", Risk.DIFFERS)
        help = f"Write `{code(new)}`."
    elif actual == ListType(NONE) and isinstance(declared, ListType) and optional_element(declared.element):
        help = f"Start with `{name}: {said(declared)} = []` and append None."
    yield match.finding(
        f"`{name}` is annotated as {said(declared)}, but {match.quote(node)} is {a(actual)}", help=help, fix=fix
    )
