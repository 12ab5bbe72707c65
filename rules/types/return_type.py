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

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.compiled_form import in_compiled_code
from tslint.rewrite.return_types import corrected
from tslint.rewrite.type_reasons import because
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.template import code, expression
from tslint.script.type_text import a, parsed

RULE = Rule(code="TS315", name="return-type", events=("return-type",))


def check(match: Match) -> Iterator[Finding]:
    """Name both types."""
    node, declared, actual = match.node, parsed(match.event.facts["declared"]), parsed(match.event.facts["actual"])
    shown = match.quote(node) if isinstance(node, cst.BaseExpression) else "nothing"
    fix: Fix | None = None
    help = because(match, node, actual)
    if isinstance(node, cst.BaseExpression) and {declared.name, actual.name} == {"int", "float"}:
        converted = expression("{type}({node})", type=declared.name, node=node)
        message = f"Write `{declared.name}(…)` around it in compiled code"
        fix = in_compiled_code(match, node, lambda: converted, message, Risk.DIFFERS)
        help = f"Convert it, `{code(converted)}`, or annotate `-> {actual}`."
    elif declared.without_none == actual or declared.is_none:
        help = f"Annotate `-> {actual.said}`."
    elif help is None and actual.is_none:
        help = f"Return {a(declared)}, or annotate `-> Optional[{declared.said}]`."
    yield match.finding(
        f"returns {shown}, {a(actual)}, but the function is annotated `-> {declared.said}`",
        help=help or f"Return {a(declared)}, or annotate `-> {actual.said}`.",
        fix=fix or (corrected(match, declared, actual) if isinstance(node, cst.BaseExpression) else None),
    )
