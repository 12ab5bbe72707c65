"""# Assignment expression in compiled code

## What it does

Finds `:=` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The TorchScript front end knows assignments as statements only.

```text
NamedExpr aren't supported
```

## Example

```python
import torch


def clip(x: torch.Tensor) -> torch.Tensor:
    if (n := x.dim()) > 1:
        return x.flatten() / n
    return x


scripted = torch.jit.script(clip)
inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch


def clip(x: torch.Tensor) -> torch.Tensor:
    n = x.dim()
    if n > 1:
        return x.flatten() / n
    return x


scripted = torch.jit.script(clip)
inputs = (torch.rand(2, 3),)
```

## Fix safety

The assignment moves to a line of its own where it is the first thing that its statement evaluates; that is *safe*,
because nothing runs earlier or more often than before. In a `while`, an `elif`, behind `and`, or after something else
that is evaluated, there is no fix.
"""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position
from tslint.rewrite.spans import compiled_function
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

_CALLED = frozenset(string.ascii_letters + string.digits + "_)]}\"'")
RULE = Rule(code="TS110", name="named-expression", events=("named-expression",))


def check(match: Match) -> Iterator[Finding]:
    """Offer the assignment as a line of its own."""
    node = match.event.node
    fix = _lift(match, node) if isinstance(node, ast.NamedExpr) else None
    yield match.finding(
        f"`{match.event.facts['name']} := …` cannot be compiled: assignments are statements in TorchScript",
        help="Assign on a line of its own before the statement.",
        fix=fix,
    )


def _lift(match: Match, node: ast.NamedExpr) -> Fix | None:
    function = compiled_function(match)
    for statement in walking.walk(function) if function is not None else ():
        if isinstance(statement, ast.stmt) and _first(statement, node):
            break
    else:
        return None
    start, _ = match.file.span(match.event.span)
    line = match.source.lines[statement.lineno - 1]
    margin = line[: len(line) - len(line.lstrip())]
    if len(margin.encode()) != statement.col_offset or line[len(margin) :].startswith("elif"):
        return None
    value = match.text(node.value)
    if "\n" in value:
        value = f"({value})"
    low, high = match.source.offset(start), match.source.offset(match.file.span(match.event.span)[1])
    text = match.source.text
    # Its own parentheses go, those of a call or of `if(` stay.
    if text[low - 1] == "(" and text[high : high + 1] == ")" and text[low - 2] not in _CALLED:
        low, high = low - 1, high + 1
    row = Position(statement.lineno, 1)
    assignment = Edit(row, row, f"{margin}{node.target.id} = {value}{match.source.newline}")
    name = Edit(match.source.position(low), match.source.position(high), node.target.id)
    return safe(f"Assign `{node.target.id}` on a line of its own", assignment, name)


def _first(statement: ast.stmt, wanted: ast.NamedExpr) -> bool:
    """Whether nothing is evaluated in a statement before an expression."""
    node: ast.AST | None
    if isinstance(statement, ast.If):
        node = statement.test
    elif isinstance(statement, (ast.Assign, ast.Return, ast.Expr)):
        node = statement.value
    else:
        return False
    while node is not None and node is not wanted:
        if isinstance(node, ast.Call):
            # Looking up a name runs nothing, unless it is the one that is assigned.
            plain = isinstance(node.func, ast.Name) and node.func.id != wanted.target.id
            node = node.args[0] if plain and node.args else node.func
        elif isinstance(node, (ast.Compare, ast.BinOp)):
            node = node.left
        elif isinstance(node, ast.BoolOp):
            node = node.values[0]
        elif isinstance(node, ast.UnaryOp):
            node = node.operand
        elif isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        elif isinstance(node, ast.IfExp):
            node = node.test
        elif isinstance(node, (ast.Tuple, ast.List)) and node.elts:
            node = node.elts[0]
        else:
            return False
    return node is wanted
