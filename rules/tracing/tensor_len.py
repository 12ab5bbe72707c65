"""# `len()` of a tensor in traced code

## What it does

Finds `len(x)` of tensors in code that is traced.

## Why TorchScript rejects it

It does not: the tracer runs the code once and records the operators. `len()` gives a Python `int`, which is a
constant of the trace; `x.shape[0]` is recorded as long as it stays in the arithmetic of shapes.

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

`x.shape[0]` is what `len(x)` gives where `x` is annotated as a tensor. It is *unsafe*, as only the annotation says so,
and as a tensor without dimensions raises another exception.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Edit, Risk, Severity, Stage
from tslint.rewrite.trace_wording import argument, quote, short
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, unsafe

RULE = Rule(
    code="TS705",
    name="traced-len",
    events=("trace-len",),
    severity=Severity.WARNING,
    stage=Stage.TRACE,
)


def check(match: Match) -> Iterator[Finding]:
    """Offer the shape."""
    given = argument(match)
    assert given is not None
    text = match.text(given)
    fix = None
    if isinstance(given, ast.Name) and _is_tensor(match, given.id):
        edit = Edit(*match.file.span(match.event.span), f"{text}.shape[0]")
        # Without dimensions it raises another exception; that it is a tensor, its annotation alone says.
        fix = unsafe(f"Write `{text}.shape[0]`", edit, risks=(Risk.ASSUMES, Risk.EXCEPTION))
    yield match.finding(
        f"{quote(match, match.event.node)} is a constant of the trace: that of the example inputs",
        help=f"Write {short(text + '.shape[0]')}, which is recorded.",
        fix=fix,
    )


def _is_tensor(match: Match, name: str) -> bool:
    """Whether a name is certainly a tensor, and no list of tensors: a parameter that says so, and stays it."""
    assert match.event.unit is not None
    node = match.event.unit.function.node
    stored = any(
        isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load)
        for each in walking.walk(node)
    )
    return not stored and any(
        argument.arg == name and argument.annotation is not None and ast.unparse(argument.annotation).endswith("Tensor")
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    )
