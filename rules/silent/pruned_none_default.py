"""# Test for None of a parameter that is never None in TorchScript

## What it does

Finds tests for None in compiled functions that Python calls, if the tested parameter has no annotation, the annotation
`Any`, or the annotation `Tensor` with the default None.

## What goes wrong

TorchScript accepts it, but drops the branch for None: a parameter without annotation is a Tensor, and a Tensor is never
None. If the argument is left out, compiled code runs the other branch. It then computes a different result, or raises
where it uses the missing tensor.

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, mask=None):
        if mask is None:
            return x
        return x * mask


inputs = (torch.ones(3),)
```

## Use instead

```python
from typing import Optional

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None):
        if mask is None:
            return x
        return x * mask


inputs = (torch.ones(3),)
```

## Fix safety

The fix annotates the parameter as an Optional. This is *safe* if the body, the default and every call in the file agree
on the type: Python ignores annotations. It is *unsafe* if no call in the file has a known type, so that only the body
shows the type: compiled code rejects other types. There is no fix if the uses of the parameter contradict each other,
or if nothing shows a type: a default of None does not show what else callers pass.

If the parameter has the annotation `Tensor`, the fix writes `Optional[Tensor]`, which is *unsafe*: the compiler may
then reject uses of the parameter outside the test. If such a use passes the parameter to a tensor method that rejects
None, another fix puts an `assert` before the use, so that Python raises AssertionError.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Severity
from tslint.rewrite.optional_tensor import as_optional, optional_help
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import PrunedNoneDefault

RULE = Rule(code="TS610", name="pruned-none-default", events=(PrunedNoneDefault,), severity=Severity.WARNING)
_IS_NOT = m.Comparison(comparisons=[m.ComparisonTarget(operator=m.IsNot())])


def check(match: Match[PrunedNoneDefault]) -> Iterator[Finding]:
    """Report a test with a fixed result, with a fix that annotates the parameter."""
    event = match.event
    name = event.name
    outcome = "true" if m.matches(match.node, _IS_NOT) else "false"
    decided = f"`{match.code(match.node)}` is always {outcome} in TorchScript"
    if event.is_any:
        yield match.finding(
            f"{decided}: `{name}` is annotated as Any",
            help=f"Annotate it as `{name}: Optional[…]`: in TorchScript, a value of type Any counts as not None.",
        )
        return
    param = match.libcst(event.argument)
    fix = as_optional(match, param)
    default = isinstance(param, cst.Param) and param.default is not None
    yield match.finding(
        f"{decided}: the parameter is not Optional",
        help=optional_help(name, fix, default=default),
        fix=fix,
        mistake=param,
    )
