"""# Name that is not defined where it is used

## What it does

Finds names that compiled code reads but that are not defined there: misspelt or missing names, and names that are
assigned only in the body of a loop and read after it.

## Why TorchScript rejects it

A compiled function knows its parameters, its own variables and the globals of its file. The body of a loop may not run
at all, so a variable that is first assigned inside it (also the loop variable) does not exist after it.

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

Assign the name before the loop, with a value of the same type:

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

If the loop certainly runs, the fix assigns an empty value before the loop: an empty tensor, string or container, or 0.
This is *safe*.

If the loop may not run, but the code after it certainly reads the variable, the fix sets the variable to None before
the loop, and puts `assert last is not None` before the code that reads it. This is *unsafe*: Python raises
AssertionError instead of UnboundLocalError. If it is not certain that the variable is read, only compiled code assigns
the empty value before the loop. This is *unsafe*: if the loop never runs, compiled code continues with that value. For
a Tensor, this fix is only shown (*display*).

If the type is not known, the fix is only shown, with a placeholder for the value.

If one branch of an `if` in a loop sets the variable, and another branch reads it in a later iteration, the variable
gets an empty value before the loop, too. This is *unsafe*: if no earlier iteration has set the variable, Python raises,
and compiled code continues with the empty value.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache

import libcst as cst

from tslint.rewrite.loop_variables import bound_before, bound_before_branch, loop_that_binds
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.dataflow.loop_bindings import same_loop
from tslint.script.dataflow.names import deleted_above, module_names, variables
from tslint.script.events.names import UndefinedName
from tslint.util.suggest import nearest

RULE = Rule(code="TS201", name="undefined-name", events=(UndefinedName,))

_ALIKE = 0.75


def check(match: Match[UndefinedName]) -> Iterator[Finding]:
    """Report an undefined name, with the line that binds it in other code, if there is one."""
    name, stored = match.event.name, match.event.stored
    if match.function is not None and any(each.name.value == name for each in match.function.params.posonly_params):
        return  # TS117 reports it
    if stored is None:
        yield match.finding(f"`{name}` is not defined", help=_help(match, name))
        return
    loop = loop_that_binds(match, stored)
    if loop is not None:
        row = match.place(loop)[0].row
        yield match.finding(
            f"`{name}` is only assigned inside the loop on line {row}, and does not exist after it",
            help=f"Assign `{name}` before the loop, with a value of the same type.",
            fix=bound_before(match, loop, name, match.event.type),
        )
        return
    bound = match.libcst(stored)
    row = match.place(bound)[0].row
    if match.event.unit is not None and deleted_above(match.event.unit.function.node, name, match.event.span.row):
        yield match.finding(
            f"`{name}` is read after `del {name}`",
            help=f"Remove `del {name}`: TorchScript frees the memory without it.",
        )
    elif match.event.type is not None and same_loop(match.file.tree, stored, match.event.node):
        yield match.finding(
            f"`{name}` has no value here in compiled code: line {row} assigns it on another path",
            help=f"Assign `{name}` before the loop, with a value of the same type.",
            fix=bound_before_branch(match, stored, name, match.event.type, match.event.node),
        )
    elif row > match.event.span.row:
        first = "before the loop" if same_loop(match.file.tree, stored, match.event.node) else "first"
        yield match.finding(f"`{name}` is read before it is assigned on line {row}", help=f"Assign `{name}` {first}.")
    elif row == match.event.span.row:
        yield match.finding(
            f"`{name}` has no value here in compiled code: this line reads it before it assigns it",
            help=f"Assign `{name}` above this line, in the same block or in an outer block.",
        )
    elif _in_branch(match, bound):
        yield match.finding(
            f"`{name}` has no value here in compiled code: line {row} assigns it in a branch",
            help=f"Assign `{name}` before the branch. If it is a function or module, call it in each branch.",
        )
    else:
        yield match.finding(
            f"`{name}` is not defined here: line {row} assigns it in another block",
            help=f"Assign `{name}` in the block that reads it, or in an outer block.",
        )


def _in_branch(match: Match, node: cst.CSTNode) -> bool:
    """Return whether a node is in an ``if`` of the function."""
    for each in match.ancestors(node):
        if isinstance(each, (cst.If, cst.FunctionDef)):
            return isinstance(each, cst.If)
    return False


def _help(match: Match, name: str) -> str:
    """Return the help: the name that the author probably meant, or where to define the missing name."""
    known = [_nearest_of_module(name, module_names(match.file.tree))]
    if match.event.unit is not None:
        known.append(nearest(name, variables(match.event.unit.function.node) - {name}, _ALIKE))
    meant = nearest(name, filter(None, known)) if len(name) > 2 else None
    around = match.parent(match.node)
    or_pass = "" if isinstance(around, cst.Call) and around.func is match.node else ", or pass it as an argument"
    if meant is not None and SequenceMatcher(None, name, meant).ratio() > _ALIKE:
        return f"Did you mean `{meant}`? Otherwise, define or import `{name}` in this file{or_pass}."
    if hasattr(builtins, name):
        return f"TorchScript does not have Python's `{name}`: write what it does with tensor operations."
    if isinstance(around, cst.Call) and isinstance(match.parent(around), cst.Raise):
        return f"Define or import the exception `{name}` in this file."
    if not or_pass:  # the name is called, and compiled code cannot call a parameter
        return f"Define or import the function or class `{name}` in this file."
    return f"Define or import `{name}` in this file{or_pass}."


@lru_cache(maxsize=1024)
def _nearest_of_module(name: str, known: frozenset[str]) -> str | None:
    """Return the nearest known name, cached, because large files have thousands of names and often miss the
    same ones.
    """
    return nearest(name, known - {name}, _ALIKE)
