"""# Parameter without annotation that is compared with a number

## What it does

Finds parameters without annotation that are compared with a number, `mode == 2`, in compiled functions that Python
calls.

## What goes wrong

TorchScript accepts it: without an annotation the parameter is a Tensor, which can be compared with a number. But if a
caller passes a number, compiled code rejects it.

```text
forward() Expected a value of type 'Tensor (inferred)' for argument 'mode' but instead found type 'int'.
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, mode):
        if mode == 2:
            return x * 2
        return x


inputs = (torch.ones(3), 2)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, mode: int):
        if mode == 2:
            return x * 2
        return x


inputs = (torch.ones(3), 2)
```

## Fix safety

The fix annotates the parameter. This is *safe* if the default and every call in the file agree on the type. It is
*unsafe* if the file has no call of the function: compiled code then rejects arguments of other types. There is no fix
if the uses of the parameter contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rewrite.annotate_parameter import annotate_parameter, annotation_in
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import ComparedWithNumber

RULE = Rule(code="TS618", name="compared-with-number", events=(ComparedWithNumber,), severity=Severity.WARNING)


def check(match: Match[ComparedWithNumber]) -> Iterator[Finding]:
    """Report the comparison, with a fix that annotates the parameter."""
    event = match.event
    name = event.name
    fix = annotate_parameter(match, match.libcst(event.argument), likely=event.type)
    written = annotation_in(fix) or f"{name}: {event.type}"
    yield match.finding(
        f"`{name}` is compared with a number, but has no annotation, so it is a Tensor in TorchScript",
        help=f"If it is a number, annotate it: `{written}`. Without the annotation, compiled code rejects a number.",
        fix=fix,
    )
