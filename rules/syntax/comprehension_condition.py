"""# Comprehension with a condition in compiled code

## What it does

Finds comprehensions and generator expressions with an `if` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

A compiled comprehension is a loop that makes one element per turn.

```text
Comprehension ifs are not supported yet
```

## Example

```python
from typing import List

import torch


def large(sizes: List[int]) -> List[int]:
    kept: List[int] = [size for size in sizes if size > 2]
    return kept


scripted = torch.jit.script(large)
inputs = ([1, 2, 3, 4],)
```

## Use instead

```python
from typing import List

import torch


def large(sizes: List[int]) -> List[int]:
    kept: List[int] = []
    for size in sizes:
        if size > 2:
            kept.append(size)
    return kept


scripted = torch.jit.script(large)
inputs = ([1, 2, 3, 4],)
```

## Fix safety

A list or dict comprehension becomes a loop before its statement. That is *safe* where the loop's variables occur
nowhere else in the function, the list is not read while it is made, and nothing is called before it; *unsafe*
elsewhere. An empty list is `List[Tensor]` to the compiler: what is appended decides how it has to be annotated then.
There is no fix for a comprehension that is evaluated under a condition, or inside another one, and none for generators
and sets.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Fix
from tslint.rule import Finding, Rule, safe, unsafe
from tslint.rules.syntax._as_loops import as_loops
from tslint.rules.syntax._common import (
    alone_on_its_lines,
    compiled_function,
    operand,
    parent,
    place,
    replace,
    spans_rows,
)

RULE = Rule(code="TS112", name="comprehension-condition", events=("comprehension-condition",))


def check(match: Match) -> Iterator[Finding]:
    """Write the comprehension as a loop where it is assigned to a name."""
    yield match.finding(
        "a comprehension with `if` cannot be compiled",
        help="Write a `for` loop that appends to an annotated list.",
        fix=_loop(match) or as_loops(match, match.event.node),
    )


def _loop(match: Match) -> Fix | None:
    node, function = match.event.node, compiled_function(match)
    statement = parent(match, node)
    if not isinstance(node, ast.ListComp) or function is None or node.generators[0].is_async:
        return None
    target: ast.expr
    if isinstance(statement, ast.AnnAssign):
        target, annotation = statement.target, match.text(statement.annotation)
    else:
        return None
    if not isinstance(target, ast.Name) or spans_rows(node) or not alone_on_its_lines(match, statement):
        return None
    generator = node.generators[0]
    inside = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
    bound = {child.id for child in ast.walk(generator.target) if isinstance(child, ast.Name)}
    outside = {
        child.id
        for child in ast.walk(function)
        if isinstance(child, ast.Name) and not any(child is part for part in ast.walk(node))
    }
    outside |= {child.arg for child in ast.walk(function.args) if isinstance(child, ast.arg)}
    if target.id in inside:
        return None
    start, _ = place(match, statement)
    margin = match.source.lines[start.row - 1][: start.column - 1]
    conditions = generator.ifs
    tests = [match.text(conditions[0])] if len(conditions) == 1 else [operand(match, test) for test in conditions]
    parts = (match.text(generator.target), match.text(generator.iter), " and ".join(tests), match.text(node.elt))
    if any("\n" in part or "\r" in part for part in parts):
        return None
    newline = match.source.newline
    lines = (
        f"{target.id}: {annotation} = []",
        f"{margin}for {parts[0]} in {parts[1]}:",
        f"{margin}    if {parts[2]}:",
        f"{margin}        {target.id}.append({parts[3]})",
    )
    make = unsafe if bound & outside else safe
    return make("Write the comprehension as a loop", replace(match, statement, newline.join(lines)))
