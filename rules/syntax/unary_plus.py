"""# Unary plus in compiled code

## What it does

Finds `+x` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The front end does not support the unary plus. It crashes while it reports this, and names no line:

```text
'UnaryOp' object has no attribute 'range'
```

## Example

```python
import torch


def shift(x: torch.Tensor) -> torch.Tensor:
    return x + +1


scripted = torch.jit.script(shift)
inputs = (torch.rand(3),)
```

## Use instead

```python
import torch


def shift(x: torch.Tensor) -> torch.Tensor:
    return x + 1


scripted = torch.jit.script(shift)
inputs = (torch.rand(3),)
```

## Fix safety

Before a number literal, the fix removes the plus, which is *safe*. Before any other expression, only compiled code
omits the plus, and Python calls `operator.pos`. This is *unsafe*: in Python, the plus turns a `bool` into an `int`.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.scripting import branch, can_branch
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import expression
from tslint.script.events.syntax import UnaryPlus

RULE = Rule(code="TS122", name="unary-plus", events=(UnaryPlus,))
_PLUS = m.UnaryOperation(operator=m.Plus())
_NUMBER = m.Integer() | m.Float() | m.Imaginary()


def check(match: Match[UnaryPlus]) -> Iterator[Finding]:
    """Report the operator, with a fix that removes it."""
    node = match.node
    fix = None
    if isinstance(node, cst.UnaryOperation):
        number, _ = _signed(node)
        if match.under(node, _PLUS):
            fix = None  # the outermost of several signs is removed with all of them
        elif m.matches(number, _NUMBER):
            fix = safe("Remove the `+`", lambda: match.replace(node, number))
        else:
            fix = _without_sign(match, node)
    yield match.finding(
        "unary `+` cannot be compiled: the compiler crashes on it",
        help="Remove the `+`.",
        fix=fix,
    )


def _signed(node: cst.UnaryOperation) -> tuple[cst.BaseExpression, int]:
    """Return the operand behind the signs, and the number of signs."""
    value: cst.BaseExpression = node
    signs = 0
    while isinstance(value, cst.UnaryOperation) and m.matches(value, _PLUS):
        value, signs = value.expression, signs + 1
    return value, signs


def _without_sign(match: Match, node: cst.UnaryOperation) -> Fix | None:
    """Remove the sign, and further signs after it, in compiled code."""
    operator, imports = match.imported("operator")
    if match.binds(operator) or not can_branch(match, node):
        return None
    value, signs = _signed(node)
    if "\n" in match.code(value):
        return None

    def eager() -> cst.BaseExpression:
        made = value
        for _ in range(signs):
            made = expression("{operator}.pos({value})", operator=operator, value=made)
        return made

    words = "Remove the `+` in compiled code"
    return unsafe(words, lambda: branch(match, node, value, eager()), *imports, risks=(Risk.DIFFERS,))
