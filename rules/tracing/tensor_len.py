"""# `len()` of a tensor in traced code

## What it does

Finds `len(x)` of tensors in code that is traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. `len()` returns a Python `int`, which
is a constant of the trace. `x.shape[0]` is recorded if the code only uses it with `+ - * //`.

```text
TracerWarning: Using len to get tensor shape might cause the trace to be incorrect
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.sum() / len(x)


inputs = (torch.ones(2, 3),)
other_inputs = (torch.ones(4, 3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.sum() / x.shape[0]


inputs = (torch.ones(2, 3),)
other_inputs = (torch.ones(4, 3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

The fix writes `x.shape[0]` if `x` is a parameter with the annotation `Tensor`. It is *unsafe*, because only the
annotation shows that `x` is a tensor, and because `x.shape[0]` raises another exception for a tensor without
dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Risk, Severity, Stage
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, unsafe
from tslint.rulekit.template import expression
from tslint.rulekit.wording import short
from tslint.script.events.tracing import TraceLen
from tslint.util import astwalk

RULE = Rule(
    code="TS705",
    name="traced-len",
    events=(TraceLen,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


_ENDS: m.Pattern = m.MatchIfTrue(lambda name: name.endswith("Tensor"))
_TENSOR = m.Annotation(annotation=m.Name(value=_ENDS) | m.Attribute(attr=m.Name(value=_ENDS)))


def check(match: Match[TraceLen]) -> Iterator[Finding]:
    """Report the call of ``len``, with a fix that writes ``x.shape[0]``."""
    call = match.node
    assert isinstance(call, cst.Call)
    tensor, fix = call.args[0].value, None
    if isinstance(tensor, cst.Name) and _is_tensor(match, tensor.value):
        # A tensor without dimensions raises another exception, and only the annotation says that it is a tensor.
        fix = unsafe(
            f"Write `{tensor.value}.shape[0]`",
            lambda: match.replace(call, expression("{x}.shape[0]", x=tensor)),
            risks=(Risk.EXCEPTION,),
            assumes=f"only the annotation says that `{tensor.value}` is a Tensor",
        )
    yield match.finding(
        f"{match.event_text} becomes a constant of the trace: the length in the example inputs",
        help=f"Write {short(match.code(tensor) + '.shape[0]')}, which the trace records.",
        fix=fix,
    )


def _is_tensor(match: Match, name: str) -> bool:
    """Return whether a name is certainly a tensor, and not a list of tensors: an annotated parameter that is never
    rebound.
    """
    function = match.function
    if function is None or name in astwalk.bound(match.model(function)):
        return False
    listed = function.params
    parameter = m.Param(name=m.Name(name), annotation=_TENSOR)
    return any(m.matches(each, parameter) for each in (*listed.posonly_params, *listed.params, *listed.kwonly_params))
