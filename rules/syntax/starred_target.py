"""# Starred target that TorchScript cannot unpack into

## What it does

Finds `*rest, = value` (a starred target alone), and starred targets that are not plain variables, in code that
`torch.jit.script` compiles.

## Why TorchScript rejects it

A starred target becomes a new variable, with a tuple of the values that the other targets do not take. So there must be
at least one other target, and the starred target must be a plain variable.

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

`*rest, = value` becomes `rest = list(value)`, which is *safe*: Python does the same. Other forms have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import expression
from tslint.rulekit.wording import short
from tslint.script.dataflow.scopes import module_bindings
from tslint.script.events.syntax import StarredTarget

RULE = Rule(code="TS131", name="starred-target", events=(StarredTarget,))
_ALONE = m.Assign(targets=[m.AssignTarget(m.Tuple(elements=[m.StarredElement(m.Name())]))], value=~m.Tuple())


def check(match: Match[StarredTarget]) -> Iterator[Finding]:
    """Report the starred target, with a fix that assigns ``list(…)``."""
    node = match.node
    if isinstance(node, cst.StarredElement):
        name, around = match.code(node.value), match.statement(node)
        value = match.code(around.value) if isinstance(around, cst.Assign) else "…"
        yield match.finding(
            f"`*{name}` is the only target: compiled code needs another target",
            help=f"Write {short(f'{name} = list({value})')}.",
            fix=_list(match, node),
        )
    else:
        yield match.finding(
            f"`*{match.code(node)}`: a starred target must be a plain variable",
            help=f"Unpack into a plain variable, `*rest`, and then assign `{match.code(node)} = rest`.",
        )


def _list(match: Match, node: cst.StarredElement) -> Fix | None:
    statement = match.statement(node)
    if not isinstance(statement, cst.Assign) or not m.matches(statement, _ALONE):
        return None
    if match.binds("list") or "list" in module_bindings(match.file.tree):
        return None

    def made() -> cst.Assign:
        target = statement.targets[0].with_changes(target=node.value)
        return statement.with_changes(targets=[target], value=expression("list({x})", x=statement.value))

    return safe(f"Write `{match.code(node.value)} = list(…)`", lambda: match.replace(statement, made()))
