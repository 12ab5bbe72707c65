"""# `range` of something that is no int

## What it does

Finds `range(n)` where `n` is not an int to TorchScript: a parameter without annotation (a Tensor, then), a Tensor, or a
float such as `2 ** k`.

## Why TorchScript rejects it

A loop counts in ints. Nothing is converted here.

```text
all inputs of range must be ints, found Tensor (inferred) in argument 0
```

## Example

```python
import torch


def repeated(x: torch.Tensor, times):
    for _ in range(times):
        x = x * 2
    return x


scripted = torch.jit.script(repeated)
inputs = (torch.rand(3), 2)
```

## Use instead

```python
import torch


def repeated(x: torch.Tensor, times: int):
    for _ in range(times):
        x = x * 2
    return x


scripted = torch.jit.script(repeated)
inputs = (torch.rand(3), 2)
```

## Fix safety

*safe*: a parameter is annotated as `int`, anything else is put into `int(…)`. Python's `range` takes nothing else than
what is an int there already.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Fix
from tslint.rule import Finding, Rule, safe
from tslint.rules.types._common import a, annotate, because, looked_into, quote, reassigned, replace, unannotated

RULE = Rule(code="TS325", name="range-bound", events=("range-bound",))


def check(match: Match) -> Iterator[Finding]:
    """Annotate the parameter, or convert."""
    type_, bound = match.event.facts["type"], match.event.facts["argument"]
    parameter = unannotated(match, bound) if "(inferred)" in type_ else None
    fix: Fix | None = None
    if parameter is not None and not looked_into(match, parameter.arg) and not reassigned(match, parameter.arg):
        name = parameter.arg
        written = annotate(match, parameter, "int")
        message = f"`{name}` has no annotation, so it is a Tensor, and `range` takes ints"
        help = f"Annotate it: `{name}: int`."
        if written is not None:
            fix = safe(f"Annotate `{name}: int`", *written[1])
    else:
        message = f"`range` takes ints, and {quote(match, bound)} is {a(type_)}"
        help = because(match, bound, type_) or f"Write `int({match.text(bound)})`."
        if type_ in ("float", "number") or type_.startswith("Tensor"):
            fix = safe("Write `int(…)` around it", replace(match, bound, f"int({match.text(bound)})"))
    yield match.finding(message, help=help, fix=fix)
