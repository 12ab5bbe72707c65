"""# Unary plus in compiled code

## What it does

Finds `+x` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The front end has no unary plus, and crashes saying so, without naming a line:

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

Removing the plus is *safe* before a number that is written out. Before anything else compiled code leaves it out, and
Python goes on with `operator.pos`, which is *unsafe*: for a `bool` the plus makes an `int`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix, Risk
from tslint.rewrite.spans import operand, replace
from tslint.rewrite.when_compiled import is_local, readable
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe

RULE = Rule(code="TS122", name="unary-plus", events=("unary-plus",))


def check(match: Match) -> Iterator[Finding]:
    """Remove the sign."""
    node = match.event.node
    fix = None
    if isinstance(node, ast.UnaryOp):
        number = isinstance(node.operand, ast.Constant) and type(node.operand.value) in (int, float, complex)
        fix = (
            safe("Remove the `+`", replace(match, node, operand(match, node.operand))) if number else _kept(match, node)
        )
    yield match.finding(
        "unary `+` cannot be compiled: the compiler crashes on it",
        help="Remove the `+`.",
        fix=fix,
    )


def _kept(match: Match, node: ast.UnaryOp) -> Fix | None:
    """Leave the sign, and those inside, out of compiled code; the outermost of several does so for all of them."""
    torch, imports = match.imported("torch")
    module, more = match.imported("operator")
    inner, signs = node.operand, 1
    while isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.UAdd):
        inner, signs = inner.operand, signs + 1
    around = walking.parents(match.border.tree).get(node)
    if isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.UAdd):
        return None
    given = match.text(inner)
    if is_local(match, torch) or is_local(match, module) or not readable(match, node) or "\n" in given:
        return None
    kept = f"{module}.pos(" * signs + given + ")" * signs
    words = "Leave the `+` out where it is compiled"
    text = f"({operand(match, inner)} if {torch}.jit.is_scripting() else {kept})"
    return unsafe(words, replace(match, node, text), *imports, *more, risks=(Risk.DIFFERS,))
