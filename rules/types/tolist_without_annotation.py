"""# tolist() without a type

## What it does

Finds `x.tolist()` whose result is not assigned to an annotated variable.

## Why TorchScript rejects it

The result of `tolist` depends on the Tensor's dtype and number of dimensions, which are not part of its type. So the
compiler needs an annotation.

```text
Expected type hint for result of tolist()
```

## Example

```python
import torch


def values(x: torch.Tensor):
    found = x.tolist()
    return found


scripted = torch.jit.script(values)
```

## Use instead

```python
from typing import List

import torch


def values(x: torch.Tensor):
    found: List[float] = x.tolist()
    return found


scripted = torch.jit.script(values)
inputs = (torch.rand(3),)
```

## Fix safety

`torch.tensor(x.shape).tolist()` becomes `list(x.shape)`, which is *safe*. If the list is only used as the lengths for
`pack_padded_sequence`, compiled code passes a tensor on the CPU, and Python still passes the list, which is *safe*,
too. If another list is assigned to a variable, the fix annotates the variable with `List[...]`. This fix is only shown
(*display*): only the author knows whether the result is a `List[int]`, a `List[float]` or a list of lists.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.annotate import annotated_variable
from tslint.rewrite.tolist import tolist_fix
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, display
from tslint.rulekit.template import expression
from tslint.script.events.types import TolistWithoutAnnotation

RULE = Rule(code="TS328", name="tolist-without-annotation", events=(TolistWithoutAnnotation,))
_TO_VARIABLE = m.Assign(targets=[m.AssignTarget(m.Name())])


def check(match: Match[TolistWithoutAnnotation]) -> Iterator[Finding]:
    """Report the call, with a fix that needs no list or annotates the variable."""
    around = match.parent(match.node)
    name = "values"
    if isinstance(around, cst.Assign) and m.matches(around, _TO_VARIABLE):
        name = match.code(around.targets[0].target)
    shown = " ".join(match.code(match.node).split())
    yield match.finding(
        f"TorchScript does not know the element type of {match.quote(match.node)}",
        help=f"Assign the result to an annotated variable: `{name}: List[int] = {shown}` for one dimension of ints, "
        "`List[float]` for floats, and `List[List[…]]` for two dimensions.",
        fix=tolist_fix(match, match.node) or _annotated(match),
    )


def _annotated(match: Match) -> Fix | None:
    around = match.parent(match.node)
    if not isinstance(around, cst.Assign) or not m.matches(around, _TO_VARIABLE):
        return None
    variable = annotated_variable(around, expression("List[...]"))
    name = match.code(around.targets[0].target)
    return display(f"Annotate `{name}: List[...]`", lambda: match.replace(around, variable))
