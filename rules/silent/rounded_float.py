"""# round() whose result is taken for an int

## What it does

Finds `round(x)` of a float or an int, where a float in its place would not do as well.

## Why TorchScript rejects it

It does not, and gives a float: `round(2.6)` is `3.0` in TorchScript and `3` in Python. A tensor of ints that is
multiplied by it becomes a tensor of floats, text that it goes into gets a dot, and callers get another type.

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

`int(round(x))` is *safe*: it is what `round(x)` gives in Python already. Where x may be a Tensor in Python it is
written for compiled code alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Edit, Fix, Severity
from tslint.rewrite.decorator_to_with import shown
from tslint.rewrite.scripted_form import certain_int, either_fix
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.events import Span

RULE = Rule(code="TS603", name="rounded-float", events=("rounded-float",), severity=Severity.WARNING)


def check(match: Match) -> Iterator[Finding]:
    """Make it the int that it is in Python."""
    text = match.text(match.event.node)
    yield match.finding(
        f"{shown(text)} is a float in TorchScript, and an int in Python",
        help="Write `int(round(...))`: that is an int in both.",
        fix=_fix(match, text),
    )


def _fix(match: Match, text: str) -> Fix | None:
    node = match.event.node
    if not isinstance(node, ast.Call):
        return None
    inner = node.args[0] if len(node.args) == 1 and not node.keywords else None
    if inner is not None and _is_number(inner):
        return safe("Convert it to an int", Edit(*match.file.span(Span.of(node)), f"int({text})"))
    # In Python it may be something else that can be rounded: a tensor.
    return either_fix(match, node, f"int({text})", "Convert it to an int in compiled code")


def _is_number(node: ast.expr) -> bool:
    """Whether an expression is a number in Python, whatever the function is given."""
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float"
    return called or certain_int(node) or (isinstance(node, ast.Constant) and isinstance(node.value, float))
