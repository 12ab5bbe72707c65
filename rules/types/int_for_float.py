"""# int where a float is taken

## What it does

Finds an int for a parameter of type float: `F.dropout(x, 0)`, `F.pad(x, p, value=0)`, `scale_factor=2`.

## Why TorchScript rejects it

Python takes an int wherever a float is meant; TorchScript has no conversion from int to float.

```text
pad(Tensor input, int[] pad, str mode="constant", float? value=None) -> Tensor:
Expected a value of type 'Optional[float]' for argument 'value' but instead found type 'int'.
```

## Example

```python
import torch
import torch.nn.functional as F


def padded(x: torch.Tensor) -> torch.Tensor:
    return F.pad(x, [1, 1], value=0)


scripted = torch.jit.script(padded)
inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
import torch.nn.functional as F


def padded(x: torch.Tensor) -> torch.Tensor:
    return F.pad(x, [1, 1], value=0.0)


scripted = torch.jit.script(padded)
inputs = (torch.rand(2, 3),)
```

## Fix safety

For a function of torch a float is *safe*: it computes with floats there. A literal is written so; what may be something
else in another construction stays in Python, `float(s) if torch.jit.is_scripting() and isinstance(s, int) else s`. For
your own function that is *unsafe*: `2` and `2.0` give an integer tensor another dtype.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.mismatch import diagnose
from tslint.rewrite.scripted_form import as_float, certain_int, either_fix
from tslint.rewrite.type_wording import quote, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.operators.callables import Operator, python_callable

# Functions written in Python that hand the number on to one that takes a double.
_PASSED_ON = frozenset(
    "pad interpolate upsample dropout dropout1d dropout2d dropout3d alpha_dropout layer_norm".split()
)
RULE = Rule(code="TS303", name="int-for-float", events=("operator-mismatch", "call-mismatch"))


def check(match: Match) -> Iterator[Finding]:
    """Write the number as a float."""
    found = diagnose(match)
    if found.what != "float":
        return
    fix: Fix | None = None
    text = "an int"
    if found.argument is not None:
        text = quote(match, found.argument)
        instead = as_float(match, found.argument)
        fix = _fix(match, found.argument, instead)
    yield match.finding(
        f"{found.callee} takes a float for `{found.parameter}`, and {text} is an int: TorchScript does not convert it",
        help=f"Write `{as_float(match, found.argument)}`." if found.argument is not None else "Pass a float.",
        fix=fix,
    )


def _fix(match: Match, node: ast.expr, instead: str) -> Fix | None:
    operator = str(match.event.facts.get("operator", ""))
    message = f"Write `{instead}`"
    if not operator.startswith(("torch.", "aten::")):
        # In eager mode `2` and `2.0` give an integer tensor another dtype.
        return either_fix(match, node, instead, f"{message} in compiled code", Risk.DIFFERS)
    takes_double = isinstance(python_callable(operator), Operator) or operator.startswith("aten::")
    if (takes_double or operator.rpartition(".")[2] in _PASSED_ON) and certain_int(node):
        return safe(message, replace(match, node, instead))
    # Other constructions may have a float here, or one for each dimension.
    changing = isinstance(node, ast.Attribute)
    test = f"isinstance({match.text(node)}, int)" if changing else ""
    return either_fix(match, node, instead, f"{message} in compiled code", test=test)
