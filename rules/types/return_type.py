"""# Return value of another type than annotated

## What it does

Finds `return` statements whose value does not fit the annotation after `->`.

## Why TorchScript rejects it

Python ignores the annotation; the compiler holds the function to it. Mind that `int ** int`, `/` and `round` give a
float in TorchScript, and that nothing converts an int to a float.

```text
Return value was annotated as having type int but is actually of type float
```

## Example

```python
import torch


def cells(levels: int) -> int:
    return 2**levels


scripted = torch.jit.script(cells)
inputs = (3,)
```

## Use instead

```python
import torch


def cells(levels: int) -> int:
    return int(2**levels)


scripted = torch.jit.script(cells)
inputs = (3,)
```

## Fix safety

`int(…)` or `float(…)` around the value is for compiled code alone, and *unsafe*: it gives another value than Python.
Other annotations become the type of what the function returns, where it has one `return`; where that depends on the
construction they are left out. Python ignores them; it is *unsafe* as the value may be what is wrong, and as compiled
callers get the other type.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.return_types import corrected
from tslint.rewrite.scripted_form import either_fix
from tslint.rewrite.type_wording import a, because, optional_inside, quote, said
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule(code="TS315", name="return-type", events=("return-type",))


def check(match: Match) -> Iterator[Finding]:
    """Name both types."""
    node, declared, actual = match.event.node, match.event.facts["declared"], match.event.facts["actual"]
    shown = quote(match, node) if isinstance(node, ast.expr) else "nothing"
    fix: Fix | None = None
    help = because(match, node, actual)
    if isinstance(node, ast.expr) and {declared, actual} == {"int", "float"}:
        written = f"{declared}({match.text(node)})"
        fix = either_fix(match, node, written, f"Write `{declared}(…)` around it in compiled code", Risk.DIFFERS)
        help = f"Convert it, `{written}`, or annotate `-> {actual}`."
    elif optional_inside(declared) == actual or declared == "NoneType":
        help = f"Annotate `-> {said(actual)}`."
    elif help is None and actual == "NoneType":
        help = f"Return {a(declared)}, or annotate `-> Optional[{said(declared)}]`."
    yield match.finding(
        f"returns {shown}, {a(actual)}, but the function is annotated `-> {said(declared)}`",
        help=help or f"Return {a(declared)}, or annotate `-> {said(actual)}`.",
        fix=fix or (corrected(match, declared, actual) if isinstance(node, ast.expr) else None),
    )
