"""# `round()` whose result is used as an int

## What it does

Finds `round(x)` of a float or an int, if the result is used where a float makes a difference.

## What goes wrong

TorchScript accepts it, but the result is a float: `round(2.6)` is `3.0` in TorchScript and `3` in Python. A tensor of
ints that is multiplied by the result becomes a tensor of floats, a string that contains the result gets a dot, and
callers get another type.

## Example

```python
import torch


def scaled(x: torch.Tensor, factor: float):
    return x * round(factor)


scripted = torch.jit.script(scaled)
inputs = (torch.tensor([1, 2]), 2.6)
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor, factor: float):
    return x * int(round(factor))


scripted = torch.jit.script(scaled)
inputs = (torch.tensor([1, 2]), 2.6)
```

## Fix safety

The fix writes `int(round(x))`, which is *safe*: in Python, `round(x)` already is this int. If `x` may be a Tensor in
Python, only compiled code gets `int(round(x))`, which is *safe*, too.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Severity
from tslint.rewrite.scripting import two_forms
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import expression
from tslint.rulekit.wording import short
from tslint.script.dataflow.readable import readable
from tslint.script.dataflow.whole_numbers import is_rounded
from tslint.script.events.hazards import RoundedFloat

RULE = Rule(code="TS603", name="rounded-float", events=(RoundedFloat,), severity=Severity.WARNING)


def check(match: Match[RoundedFloat]) -> Iterator[Finding]:
    """Report the call of ``round``, with a fix that makes its result an int in TorchScript, too."""
    yield match.finding(
        f"{match.event_text} is a float in TorchScript, but an int in Python",
        help=f"Write {short(f'int({match.event_text[1:-1]})')}, so that the result is an int in TorchScript, too.",
        fix=_fix(match, match.node),
    )


def _fix(match: Match, node: cst.CSTNode) -> Fix | None:
    if not isinstance(node, cst.Call):
        return None
    whole = expression("int({rounded})", rounded=node)
    if is_rounded(match.file.tree, match.model(node)) and readable(match.file.tree, match.model(node)):
        return safe("Convert the rounded number to an int", lambda: match.replace(node, whole))
    # In Python it may also be a tensor, which can be rounded, too.
    return two_forms(match, node, whole, "Convert the rounded number to an int in compiled code")
