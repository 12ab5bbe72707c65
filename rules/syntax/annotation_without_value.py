"""# Variable annotation without a value in compiled code

## What it does

Finds `name: type` without a value in functions that `torch.jit.script` compiles.

## Why TorchScript rejects it

A variable gets its type where it gets its value; a declaration alone is no statement of TorchScript.

```text
annotated assignments without assigned value aren't supported
```

## Example

```python
from typing import List

import torch


def collect(n: int) -> List[int]:
    found: List[int]
    found = []
    for i in range(n):
        found.append(i)
    return found


scripted = torch.jit.script(collect)
inputs = (3,)
```

## Use instead

```python
from typing import List

import torch


def collect(n: int) -> List[int]:
    found: List[int] = []
    for i in range(n):
        found.append(i)
    return found


scripted = torch.jit.script(collect)
inputs = (3,)
```

## Fix safety

The annotation moves to the assignment that follows, or, where none does and the compiler infers the type by itself
(a number, a string, a tensor), is removed. That is *safe* for a variable that the function assigns elsewhere:
annotations of local variables are never evaluated. There is no fix for a variable that is assigned nowhere, because
the declaration also makes it local.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.spans import (
    alone_on_its_lines,
    at_keyword,
    block,
    compiled_function,
    place,
    remove_statement,
)
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.dataflow.scopes import bound_times

_INFERRED = ("int", "float", "bool", "str", "Tensor", "torch.Tensor")
RULE = Rule(code="TS124", name="annotation-without-value", events=("annotation-without-value",))


def check(match: Match) -> Iterator[Finding]:
    """Underline the target; move the annotation to the value."""
    target = match.text(match.event.facts["target"])
    yield at_keyword(
        match,
        target,
        f"`{target}` is annotated without a value",
        "Annotate it where it is assigned.",
        _move(match, target),
    )


def _move(match: Match, target: str) -> Fix | None:
    node, function, statements = match.event.node, compiled_function(match), block(match, match.event.node)
    if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name) or not statements or not function:
        return None
    following = statements[[item is node for item in statements].index(True) + 1 :]
    if following and isinstance(following[0], ast.Assign):
        goal = following[0].targets[0]
        if isinstance(goal, ast.Name) and goal.id == target and len(following[0].targets) == 1:
            (start, _), (begin, end) = place(match, node), place(match, goal)
            own = alone_on_its_lines(match, node)
            if not own and start.row != begin.row:
                return None
            removal = remove_statement(match, node) if own else Edit(start, begin, "")
            annotation = Edit(end, end, f": {match.text(node.annotation)}")
            return safe("Annotate the assignment", removal, annotation)
    if bound_times(function, target) < 2 or match.text(node.annotation) not in _INFERRED:
        return None
    return safe("Remove the declaration", remove_statement(match, node))
