"""# Assignment to a list of targets in compiled code

## What it does

Finds `[a, b] = value` (and the same in `for` and in comprehensions) in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Only tuples of targets are unpacked.

```text
unexpected expression on left-hand side of assignment
lhs of assignment must be a variable, subscript, or starred expression
```

## Example

```python
import torch


def add(x: torch.Tensor) -> torch.Tensor:
    [left, right] = x + 1, x + 2
    return left + right


scripted = torch.jit.script(add)
inputs = (torch.rand(3),)
```

## Use instead

```python
import torch


def add(x: torch.Tensor) -> torch.Tensor:
    (left, right) = x + 1, x + 2
    return left + right


scripted = torch.jit.script(add)
inputs = (torch.rand(3),)
```

## Fix safety

Parentheses in the place of the brackets are *safe*: Python unpacks in the same way.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.spans import place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS130", name="list-target", events=("list-target",))


def check(match: Match) -> Iterator[Finding]:
    """Turn the brackets into parentheses."""
    node = match.event.node
    yield match.finding(
        f"`{match.text(node)}` cannot be assigned to: compiled code unpacks into tuples only",
        help="Write the targets without brackets.",
        fix=_tuple(match, node) if isinstance(node, ast.List) else None,
    )


def _tuple(match: Match, node: ast.List) -> Fix:
    start, end = place(match, node)
    source = match.source
    low, high = source.offset(start), source.offset(end)
    inside = source.text[low + 1 : high - 1].rstrip()
    comma = "," if len(node.elts) == 1 and not inside.endswith(",") else ""
    opening = Edit(start, source.position(low + 1), "(")
    closing = Edit(source.position(high - 1), end, comma + ")")
    return safe("Unpack into a tuple", opening, closing)
