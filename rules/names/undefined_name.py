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

import builtins
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache

import libcst as cst

from tslint.rewrite.loop_variables import bound_before, loop_that_binds
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.dataflow.names import deleted_above, module_names, variables
from tslint.script.events.names import UndefinedName
from tslint.util.suggest import nearest

RULE = Rule(code="TS201", name="undefined-name", events=(UndefinedName,))

_ALIKE = 0.75


def check(match: Match[UndefinedName]) -> Iterator[Finding]:
    """Say what the name is, and where it is bound if it is."""
    name, stored = match.event.name, match.event.stored
    if stored is None:
        yield match.finding(f"`{name}` is not defined", help=_ways_out(match, name))
        return
    loop = loop_that_binds(match, stored)
    if loop is not None:
        row = match.place(loop)[0].row
        yield match.finding(
            f"`{name}` is bound only inside the loop on line {row}, and forgotten when the loop ends",
            help=f"Bind `{name}` before the loop, with a value of the same type.",
            fix=bound_before(match, loop, name, match.event.type),
        )
        return
    bound = match.libcst(stored)
    row = match.place(bound)[0].row
    if match.event.unit is not None and deleted_above(match.event.unit.function.node, name, match.event.span.row):
        yield match.finding(
            f"`{name}` is read after `del {name}`", help="Leave the `del` out: memory is freed without it."
        )
    elif row > match.event.span.row:
        yield match.finding(f"`{name}` is read before it is bound on line {row}", help=f"Bind `{name}` first.")
    elif _in_branch(match, bound):
        yield match.finding(
            f"`{name}` is bound to a function or module in a branch, and forgotten when the branch ends",
            help=f"Call it in each branch, and give `{name}` the result: only values leave a branch.",
        )
    else:
        yield match.finding(
            f"`{name}` is not bound here: its binding on line {row} is in another block",
            help=f"Bind `{name}` in the block that reads it, or in one around it.",
        )


def _in_branch(match: Match, node: cst.CSTNode) -> bool:
    """Whether a node stands in an ``if`` of the function."""
    for each in match.ancestors(node):
        if isinstance(each, (cst.If, cst.FunctionDef)):
            return isinstance(each, cst.If)
    return False


def _ways_out(match: Match, name: str) -> str:
    """A name that was meant, or where to define it."""
    known = [_nearest_of_module(name, module_names(match.file.tree))]
    if match.event.unit is not None:
        known.append(nearest(name, variables(match.event.unit.function.node) - {name}, _ALIKE))
    meant = nearest(name, filter(None, known)) if len(name) > 2 else None
    if meant is not None and SequenceMatcher(None, name, meant).ratio() > _ALIKE:
        return f"Did you mean `{meant}`? Else define or import `{name}` in this file, or pass it as an argument."
    if hasattr(builtins, name):
        return f"Python's `{name}` does not exist in TorchScript; write what it does in tensor operations."
    return f"Define or import `{name}` in this file, or pass it as an argument."


@lru_cache(maxsize=1024)
def _nearest_of_module(name: str, known: frozenset[str]) -> str | None:
    """Large files have thousands of names, and miss the same few again and again."""
    return nearest(name, known - {name}, _ALIKE)
