"""# Assignment to a list of targets in compiled code

## What it does

Finds `[a, b] = value` in code that `torch.jit.script` compiles, and such targets in `for` loops and comprehensions.

## Why TorchScript rejects it

The compiler only unpacks values into tuples of targets.

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
    left, right = x + 1, x + 2
    return left + right


scripted = torch.jit.script(add)
inputs = (torch.rand(3),)
```

## Fix safety

The fix removes the brackets, or replaces them by parentheses, which is *safe*: Python unpacks in the same way.
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
    """Report the targets, with a fix that writes them as a tuple."""
    node = match.node
    if isinstance(node, cst.List):
        target = node
        yield match.finding(
            f"`{match.code(node)}` cannot be assigned to: compiled code only unpacks into tuples",
            help="Write the targets without brackets.",
            fix=safe("Write the targets as a tuple", lambda: _tuple(match, target)),
        )


def _tuple(match: Match, node: cst.List) -> tuple[Edit, ...]:
    if len(node.elements) > 1 and "\n" not in match.code(node) and _stands_alone(match, node):
        last = node.elements[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return match.replace(node, cst.Tuple([*node.elements[:-1], last], lpar=[], rpar=[]))
    opening = cst.LeftParen(whitespace_after=node.lbracket.whitespace_after)
    closing = cst.RightParen(whitespace_before=node.rbracket.whitespace_before)
    return match.replace(node, cst.Tuple(node.elements, lpar=[opening], rpar=[closing]))


def _stands_alone(match: Match, node: cst.List) -> bool:
    """Return whether the targets need no parentheses: they are not nested and, in a ``for``, have spaces on both
    sides.
    """
    around = match.parent(node)
    if isinstance(around, cst.For):
        spaces = (around.whitespace_after_for, around.whitespace_before_in)
        return around.target is node and not any(each.empty for each in spaces)
    return isinstance(around, (cst.Assign, cst.AssignTarget))
