"""# Name that is not bound where it is used

## What it does

Finds names that compiled code reads and that nothing has bound there: misspelt or forgotten ones, and names that are
bound only in the body of a loop and read after it.

## Why TorchScript rejects it

A compiled function knows its parameters, its own variables and the globals of its file. A loop's body is a block of
its own: it may run no time at all, so what is bound first inside it (the loop variable too) is gone after it.

```text
undefined value last
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, steps: int = 3) -> torch.Tensor:
        for step in range(steps):
            last = x * step
        return last


inputs = (torch.rand(3),)
```

## Use instead

Bind the name before the loop, with a value of the same type:

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, steps: int = 3) -> torch.Tensor:
        last = torch.zeros_like(x)
        for step in range(steps):
            last = x * step
        return last


inputs = (torch.rand(3),)
```

## Fix safety

A tensor, a number, a text or a container is bound before the loop to an empty one. That is *safe* where the loop is
sure to run. Elsewhere only compiled code binds it (`if torch.jit.is_scripting():`), so that Python raises as before:
*unsafe*, as compiled code goes on with the empty value where the loop never runs. Where its type is not known the line
is shown with a placeholder (*display*).
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache

from tslint import walking
from tslint.rewrite.loop_variables import around, bound_before, loop_that_binds
from tslint.rewrite.statements import Span, function, row
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.suggest import nearest

RULE = Rule(code="TS201", name="undefined-name", events=("undefined-name",))

_ALIKE = 0.75


def check(match: Match) -> Iterator[Finding]:
    """Say what the name is, and where it is bound if it is."""
    name, stored = match.event.facts["name"], match.event.facts["stored"]
    if stored is None:
        yield match.finding(f"`{name}` is not defined", help=_ways_out(match, name))
        return
    loop = loop_that_binds(match, stored)
    if loop is not None:
        yield match.finding(
            f"`{name}` is bound only inside the loop on line {row(match, loop)}, and forgotten when the loop ends",
            help=f"Bind `{name}` before the loop, with a value of the same type.",
            fix=bound_before(match, loop, name, match.event.facts.get("type")),
        )
    elif _deleted(match, name):
        yield match.finding(
            f"`{name}` is read after `del {name}`", help="Leave the `del` out: memory is freed without it."
        )
    elif Span.of(stored).row > match.event.span.row:
        yield match.finding(
            f"`{name}` is read before it is bound on line {row(match, stored)}", help=f"Bind `{name}` first."
        )
    elif isinstance(around(match, stored, (ast.If,)), ast.If):
        yield match.finding(
            f"`{name}` is bound to a function or module in a branch, and forgotten when the branch ends",
            help=f"Call it in each branch, and give `{name}` the result: only values leave a branch.",
        )
    else:
        yield match.finding(
            f"`{name}` is not bound here: its binding on line {row(match, stored)} is in another block",
            help=f"Bind `{name}` in the block that reads it, or in one around it.",
        )


def _deleted(match: Match, name: str) -> bool:
    """Whether a ``del`` of the name stands before its use."""
    node = function(match)
    return node is not None and any(
        isinstance(child, ast.Name) and child.id == name and isinstance(child.ctx, ast.Del)
        and child.lineno < match.event.span.row
        for child in walking.walk(node)
    )  # fmt: skip


def _ways_out(match: Match, name: str) -> str:
    """A name that was meant, or where to define it."""
    known = [_nearest_of_module(name, _module_names(match.file.tree))]
    node = function(match)
    if node is not None:
        own = {argument.arg for argument in [*node.args.args, *node.args.kwonlyargs]} | walking.bound(node)
        known.append(nearest(name, own - {name}))
    meant = nearest(name, filter(None, known)) if len(name) > 2 else None
    if meant is not None and SequenceMatcher(None, name, meant).ratio() > _ALIKE:
        return f"Did you mean `{meant}`? Else define or import `{name}` in this file, or pass it as an argument."
    if hasattr(builtins, name):
        return f"Python's `{name}` does not exist in TorchScript; write what it does in tensor operations."
    return f"Define or import `{name}` in this file, or pass it as an argument."


@walking.kept
def _module_names(tree: ast.Module) -> frozenset[str]:
    known = {"torch"}
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            known.add(statement.name)
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            known.update((alias.asname or alias.name).partition(".")[0] for alias in statement.names)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            known |= walking.bound(statement)
    return frozenset(known)


@lru_cache(maxsize=1024)
def _nearest_of_module(name: str, known: frozenset[str]) -> str | None:
    """Large files have thousands of names, and miss the same few again and again."""
    return nearest(name, known - {name})
