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

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.compiled_form import as_float, in_compiled_code
from tslint.rewrite.type_reasons import because
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.template import code
from tslint.script.type_text import a, parsed

RULE = Rule(code="TS322", name="annotation-mismatch", events=("annotation-mismatch",))


def check(match: Match) -> Iterator[Finding]:
    """Name both types."""
    facts, node = match.event.facts, match.node
    name, declared, actual = facts["name"], parsed(facts["declared"]), parsed(facts["actual"])
    fix: Fix | None = None
    help = because(match, node, actual) or f"Assign {a(declared)}, or annotate `{name}: {actual.said}`."
    if declared.name == "float" and actual.name == "int" and isinstance(node, cst.BaseExpression):
        new = as_float(node)
        fix = in_compiled_code(match, node, lambda: new, f"Write `{code(new)}` in compiled code", Risk.DIFFERS)
        help = f"Write `{code(new)}`."
    elif declared.name == "List" and declared.arguments[0].name == "Optional" and str(actual) == "List[NoneType]":
        help = f"Start with `{name}: {declared.said} = []` and append None."
    yield match.finding(
        f"`{name}` is annotated as {declared.said}, but {match.quote(node)} is {a(actual)}", help=help, fix=fix
    )
