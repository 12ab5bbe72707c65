"""# Starred target that TorchScript cannot unpack into

## What it does

Finds `*rest, = value` (a starred target alone), and starred targets that are no plain variable, in code that
`torch.jit.script` compiles.

## Why TorchScript rejects it

A starred target takes what other targets leave, and becomes a new tuple variable.

```text
A Starred expression may only appear on the lhs within the presence of another non-starred expression
Cannot pack a tuple into a non-variable
```

## Example

```python
from typing import Tuple

import torch


def total(sizes: Tuple[int, int]) -> int:
    *parts, = sizes
    return parts[0] + parts[1]


scripted = torch.jit.script(total)
inputs = ((1, 2),)
```

## Use instead

```python
from typing import Tuple

import torch


def total(sizes: Tuple[int, int]) -> int:
    parts = list(sizes)
    return parts[0] + parts[1]


scripted = torch.jit.script(total)
inputs = ((1, 2),)
```

## Fix safety

A starred name alone on the left becomes `list(…)`, which is *safe*: it is what Python makes of it. Other forms have no
fix.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix
from tslint.rewrite.spans import compiled_function, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.dataflow.scopes import bindings, module_bindings

RULE = Rule(code="TS131", name="starred-target", events=("starred-target",))


def check(match: Match) -> Iterator[Finding]:
    """Underline the starred target."""
    node = match.event.node
    if isinstance(node, ast.Starred):
        yield match.finding(
            f"`{match.text(node)}` stands alone on the left: compiled code needs another target beside it",
            help="Assign `list(…)` of the value.",
            fix=_list(match, node),
        )
    else:
        yield match.finding(
            f"`*{match.text(node)}`: what is left over can only go into a plain variable",
            help="Unpack into a variable, and assign that.",
        )


def _list(match: Match, node: ast.Starred) -> Fix | None:
    function = compiled_function(match)
    for statement in walking.walk(function) if function is not None else ():
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(node.value, ast.Name):
            target = statement.targets[0]
            shadowed = function is not None and "list" in bindings(function) | module_bindings(match.file.tree).keys()
            if isinstance(target, ast.Tuple) and target.elts == [node] and not shadowed:
                edit = replace(match, statement, f"{node.value.id} = list({match.text(statement.value)})")
                return safe("Make a list of it", edit) if not isinstance(statement.value, ast.Tuple) else None
    return None
