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

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.events.syntax import ListTarget

RULE = Rule(code="TS130", name="list-target", events=(ListTarget,))


def check(match: Match[ListTarget]) -> Iterator[Finding]:
    """Turn the brackets into parentheses."""
    node = match.node
    if isinstance(node, cst.List):
        target = node
        yield match.finding(
            f"`{match.code(node)}` cannot be assigned to: compiled code unpacks into tuples only",
            help="Write the targets without brackets.",
            fix=safe("Unpack into a tuple", lambda: _tuple(match, target)),
        )


def _tuple(match: Match, node: cst.List) -> tuple[Edit, ...]:
    opening = cst.LeftParen(whitespace_after=node.lbracket.whitespace_after)
    closing = cst.RightParen(whitespace_before=node.rbracket.whitespace_before)
    return match.replace(node, cst.Tuple(node.elements, lpar=[opening], rpar=[closing]))
