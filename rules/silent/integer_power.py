"""# Power of two ints that is taken for an int

## What it does

Finds `a ** b` of two ints, where a float in its place would not do as well.

## Why TorchScript rejects it

It does not, and gives a float: `3 ** 2` is `9.0` in TorchScript and `9` in Python. A tensor of ints that is multiplied
by it becomes a tensor of floats, and large powers lose their last digits.

## Example

```python
import torch


def scaled(x: torch.Tensor):
    return x * x.size(0) ** 2


scripted = torch.jit.script(scaled)
inputs = (torch.tensor([1, 2]),)
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor):
    return x * int(x.size(0) ** 2)


scripted = torch.jit.script(scaled)
inputs = (torch.tensor([1, 2]),)
```

## Fix safety

`int(a ** b)` is *safe* where the exponent is a number that is not negative: it is an int in Python already, and where
that is not certain of `a` it is written for compiled code alone. With another exponent it is *unsafe*: a negative one
gives a fraction in Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Edit, Fix, Risk, Severity
from tslint.rewrite.decorator_to_with import shown
from tslint.rewrite.scripted_form import certain_int, either_fix
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.events import Span

RULE = Rule(code="TS604", name="integer-power", events=("integer-power",), severity=Severity.WARNING)


def check(match: Match) -> Iterator[Finding]:
    """Make it the int that it is in Python."""
    node: ast.AST = match.event.node
    base, exponent = (match.text(match.event.facts[key]) for key in ("base", "exponent"))
    yield match.finding(
        f"{shown(match.text(node))} is a float in TorchScript, and an int in Python",
        help=f"Write `int({base} ** {exponent})`, or multiply: both are ints in both.",
        fix=_fix(match, node),
    )


def _fix(match: Match, node: ast.AST) -> Fix | None:
    if not isinstance(node, ast.BinOp):
        return None
    exponent = node.right.value if isinstance(node.right, ast.Constant) else None
    text = f"int({match.text(node)})"
    if type(exponent) is int and exponent >= 0 and certain_int(node.left):
        return safe("Convert it to an int", Edit(*match.file.span(Span.of(node)), text))
    # A negative exponent gives a fraction in Python.
    risks = () if type(exponent) is int and exponent >= 0 else (Risk.DIFFERS,)
    return either_fix(match, node, text, "Convert it to an int in compiled code", *risks)
