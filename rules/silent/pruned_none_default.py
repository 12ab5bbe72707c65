"""# Test for None of a parameter that TorchScript never takes for None

## What it does

Finds tests for None of a parameter that has no annotation, the annotation `Any`, or the annotation `Tensor` and the
default None, in functions that Python calls in compiled form.

## Why TorchScript rejects it

It does not: without an annotation the parameter is a Tensor, too, a Tensor is never None, and so the compiler decides
the test and drops the branch for None. Called without the argument, the compiled code takes the other branch: it
computes something else, or stops at the first use of the missing tensor.

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

The annotation is *safe* where the body, the default and every call in the file agree on it: Python does not look at
annotations. Where only the body shows it, as the function is called by nobody or by somebody whose types are not seen,
it is *unsafe*: compiled code refuses anything else. There is none where they contradict each other, or nothing shows a
type. That the default is None says nothing about what else is given. `Optional` around a `Tensor` is *unsafe*: what
uses the parameter outside of the test may be refused then.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Severity
from tslint.rewrite.annotate import annotation_of
from tslint.rewrite.optional_tensor import as_optional
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import PrunedNoneDefault

RULE = Rule(code="TS610", name="pruned-none-default", events=(PrunedNoneDefault,), severity=Severity.WARNING)
_IS_NOT = m.Comparison(comparisons=[m.ComparisonTarget(operator=m.IsNot())])


def check(match: Match[PrunedNoneDefault]) -> Iterator[Finding]:
    """Say which branch is gone, and annotate the parameter."""
    event = match.event
    name = event.name
    outcome = "true" if m.matches(match.node, _IS_NOT) else "false"
    decided = f"`{match.code(match.node)}` is always {outcome} in TorchScript"
    if event.is_any:
        yield match.finding(
            f"{decided}: `{name}` is annotated as Any, which TorchScript never takes for None",
            help="Annotate it as the Optional that it is.",
        )
        return
    param = match.libcst(event.argument)
    passed = "left out" if isinstance(param, cst.Param) and param.default is not None else "None"
    why = "has no annotation, so it is a Tensor" if annotation_of(param) is None else "is annotated as a Tensor"
    yield match.finding(
        f"{decided}: `{name}` {why}, even when it is {passed}",
        help=f"Annotate it: `{name}: Optional[torch.Tensor] = None`.",
        fix=as_optional(match, param),
        mistake=param,
    )
