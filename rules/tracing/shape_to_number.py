"""# A Python number computed from a shape in traced code

## What it does

Finds `int()`, `float()`, `round()`, `max()`, `min()`, `math` functions and `torch.tensor([...])` of the sizes of
inputs, in code that is traced.

## What goes wrong

TorchScript accepts it: the tracer runs the code once and records the operators. It also records `x.shape[0]` and the
results of `+ - * //`. A number that the code computes in another way is a constant of the trace.

```text
TracerWarning: Converting a tensor to a Python integer might cause the trace to be incorrect
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        half = int(x.shape[0])
        return x.sum() / half


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
        half = x.shape[0]
        return x.sum() / half


inputs = (torch.ones(2, 3),)
other_inputs = (torch.ones(4, 3),)
traced = torch.jit.trace(Net().eval(), inputs)
```

## Fix safety

Removing `int()` around a size is *safe*: the size is already an `int`. There is no fix for the other forms.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from tslint.diagnostics import Severity, Stage
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import code
from tslint.rulekit.wording import short
from tslint.script.events.tracing import TraceShapeNumber

RULE = Rule(
    code="TS707",
    name="traced-shape-to-number",
    events=(TraceShapeNumber,),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


_SHAPE = m.Subscript(value=m.Attribute(attr=m.Name("shape")), slice=[m.SubscriptElement(slice=m.Index())])
_OF_SHAPE = m.Call(args=[m.Arg(value=_SHAPE, keyword=None)])


def check(match: Match[TraceShapeNumber]) -> Iterator[Finding]:
    """Report the number that becomes a constant, with a fix that removes ``int()``."""
    call, fix = match.node, None
    argument = call.args[0].value if isinstance(call, cst.Call) and call.args else None
    if match.event.function == "int" and argument is not None and m.matches(call, _OF_SHAPE):
        fix = safe(f"Write `{match.code(argument)}`", partial(match.replace, call, argument))
    yield match.finding(
        f"{match.event_text} becomes a constant of the trace, also for inputs of another shape",
        help=_help(match, argument),
        fix=fix,
    )


def _help(match: Match[TraceShapeNumber], argument: cst.BaseExpression | None) -> str:
    """Return what to write instead, with the size or the number that the author converts."""
    function = match.event.function
    if function == "int" and isinstance(argument, cst.BinaryOperation) and isinstance(argument.operator, cst.Divide):
        divided = code(argument.with_changes(operator=cst.FloorDivide()))
        return f"Write {short(divided)}: the trace records sizes and the results of `+ - * //`."
    found = next(iter(m.findall(match.node, _SHAPE)), None)
    size = match.code(found) if found is not None else "x.shape[0]"
    if function == "math.sqrt" and not m.matches(match.node, _OF_SHAPE):
        size = match.code(argument) if isinstance(argument, (cst.Name, cst.Attribute)) else "n"
    return _HELP.get(function, "Use only `+ - * //` on sizes such as `{}`: the trace records these.").format(size)


_HELP = {
    "int": "Remove `int()`, and divide with `//`: the trace records sizes and the results of `+ - * //`.",
    "math.sqrt": "Write `{0} ** 0.5` instead of `math.sqrt({0})`: the trace records powers.",
    "round": "Use `//`: the trace cannot record rounding.",
    "torch.tensor": "Build the tensor with `torch.stack`, or in a function under `@torch.jit.script_if_tracing`.",
}
