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

The annotation is *safe* where the body, the default and every call in the file agree on it: Python does not look at
annotations. Where only the body shows it, as the function is called by nobody or by somebody whose types are not seen,
it is *unsafe*: compiled code refuses anything else. There is none where they contradict each other, or nothing shows a
type.

`int(…)` around anything else is for compiled code alone, `range(int(n) if torch.jit.is_scripting() else n)`: *safe* for
a Tensor, *unsafe* for a float that is an int in Python, such as `2 ** k`, since a negative `k` makes Python raise.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.annotate_parameter import annotation_fix
from tslint.rewrite.scripted_form import either_fix
from tslint.rewrite.type_wording import a, because, function, quote, unannotated
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule(code="TS325", name="range-bound", events=("range-bound",))


def check(match: Match) -> Iterator[Finding]:
    """Annotate the parameter, or convert."""
    type_, bound = match.event.facts["type"], match.event.facts["argument"]
    parameter = unannotated(match, bound) if "(inferred)" in type_ else None
    fix: Fix | None = None
    held = function(match)
    if parameter is not None and held is not None:
        name = parameter.arg
        fix = annotation_fix(match, held, parameter, wanted="int")
        message = f"`{name}` has no annotation, so it is a Tensor, and `range` takes ints"
        help = f"Annotate it: `{name}: int`."
    else:
        message = f"`range` takes ints, and {quote(match, bound)} is {a(type_)}"
        help = because(match, bound, type_) or f"Write `int({match.text(bound)})`."
        if type_ in ("float", "number") or type_.startswith("Tensor"):
            risks = () if type_.startswith("Tensor") else (Risk.DIFFERS,)
            text = f"int({match.text(bound)})"
            fix = either_fix(match, bound, text, "Write `int(…)` around it in compiled code", *risks)
    yield match.finding(message, help=help, fix=fix)
