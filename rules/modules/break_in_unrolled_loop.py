"""# `break` or `continue` in a loop over modules or a tuple

## What it does

Finds `break` and `continue` in loops over a container of modules or a tuple, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Such a loop is unrolled: its body is compiled once for every module, one after the other.

```text
Because we emit iteration over modulelists or tuples as unrolled loops, we do not support break or continue
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            if i == 1:
                continue
            x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            if i != 1:
                x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

For a `break` keep a flag (`going = True` before the loop), and put the body under `if going:`; a `return` out of such a
loop is allowed.

## Fix safety

Putting what follows `if test: continue` under `if not test:` is *safe*; so is a list in place of a tuple of numbers or
strings, over which the loop is not unrolled. There is no fix for other forms.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position
from tslint.rewrite.loop_parts import folded, loops_around, parent, place, replace, stored_once
from tslint.rewrite.spans import alone_on_its_lines, operand, spans_rows
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS417", name="break-in-unrolled-loop", events=("break-in-unrolled-loop",))
_OPPOSITE: dict[type[ast.cmpop], str] = {ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not", ast.IsNot: "is"}


def check(match: Match) -> Iterator[Finding]:
    """Put the rest of the body under the opposite test."""
    word, node = match.event.facts["word"], match.event.node
    loop = next((loop.node for loop in loops_around(match, node) if isinstance(loop.node, ast.For)), None)
    over = f"`{match.text(loop.iter)}`" if loop is not None else "modules"
    help = "Put the rest of the body under the opposite `if`."
    if word == "break":
        help = "Keep a flag, and put the body under `if going:`; or `return` out of the loop."
    fix = None
    if loop is not None:
        fix = _listed(match, loop) or (_turned(match, loop, node) if word == "continue" else None)
    yield match.finding(
        f"`{word}` cannot be compiled here: TorchScript unrolls the loop over {over}", help=help, fix=fix
    )


def _listed(match: Match, loop: ast.For) -> Fix | None:
    """A list of numbers or strings in place of a tuple of them."""
    items = loop.iter
    if not isinstance(items, ast.Tuple) or not items.elts or not all(isinstance(e, ast.Constant) for e in items.elts):
        return None
    if _bound_elsewhere(match, loop):
        return None
    kinds = {type(element.value) for element in items.elts if isinstance(element, ast.Constant)}
    if len(kinds) != 1 or not kinds <= {int, float, bool, str}:
        return None
    inner = match.text(items).strip()
    inner = inner[1:-1] if inner.startswith("(") else inner
    return safe("Loop over a list", replace(match, items, f"[{inner.strip().rstrip(',')}]"))


def _bound_elsewhere(match: Match, loop: ast.For) -> bool:
    """Whether the loop's variable has a life outside: a loop that is not unrolled cannot change its type."""
    names = [node.id for node in walking.walk(loop.target) if isinstance(node, ast.Name)]
    return not all(stored_once(match, name) for name in names)


def _turned(match: Match, loop: ast.For, node: ast.AST) -> Fix | None:
    test = parent(match, node)
    if not isinstance(test, ast.If) or test.body != [node] or test.orelse or test not in loop.body:
        return None
    rest = loop.body[loop.body.index(test) + 1 :]
    if not rest or any(spans_rows(statement) for statement in rest) or not alone_on_its_lines(match, node):
        return None
    start, end = place(match, test)
    condition = match.text(test.test)
    if "\n" in condition or match.source.lines[start.row - 1][: start.column - 1].strip() or start.row == end.row:
        return None
    margin = match.source.lines[start.row - 1][: start.column - 1]
    step = match.source.lines[end.row - 1][: place(match, node)[0].column - 1].removeprefix(margin) or "    "
    edits = [replace(match, test.test, _opposite(match, test.test))]
    edits.append(Edit(Position(end.row, 1), Position(end.row + 1, 1), ""))
    last = rest[-1].end_lineno or rest[-1].lineno
    for row in range(end.row + 1, last + 1):
        if match.source.lines[row - 1].strip():
            edits.append(Edit(Position(row, 1), Position(row, 1), step))
    edits = folded(match, [test, *rest], edits)
    return safe("Put the rest of the body under the opposite test", *edits)


def _opposite(match: Match, test: ast.expr) -> str:
    text = match.text(test)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return match.text(test.operand)
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITE:
        left, right = operand(match, test.left), operand(match, test.comparators[0])
        return f"{left} {_OPPOSITE[type(test.ops[0])]} {right}"
    return f"not {text}" if isinstance(test, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) else f"not ({text})"
