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

A tensor, a number or a text is bound before the loop to an empty one, which is *unsafe*: where the loop never runs,
that is returned instead of an error. Else the line is shown with a placeholder (*display*).
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache

from tslint import walking
from tslint.border import Match
from tslint.diagnostics import Edit, Fix, Position
from tslint.rule import Finding, Rule, display, unsafe
from tslint.rules.names._common import Span, alone_on_its_lines, function, indentation, parent, row
from tslint.suggest import nearest

RULE = Rule(code="TS201", name="undefined-name", events=("undefined-name",))

_ALIKE = 0.75
# What a variable is before a loop that binds it.
_FIRST = {"int": "0", "float": "0.0", "bool": "False", "str": '""'}


def check(match: Match) -> Iterator[Finding]:
    """Say what the name is, and where it is bound if it is."""
    name, stored = match.event.facts["name"], match.event.facts["stored"]
    if stored is None:
        yield match.finding(f"`{name}` is not defined", help=_ways_out(match, name))
        return
    loop = _loop(match, stored)
    if loop is not None:
        yield match.finding(
            f"`{name}` is bound only inside the loop on line {row(match, loop)}, and forgotten when the loop ends",
            help=f"Bind `{name}` before the loop, with a value of the same type.",
            fix=_before(match, loop, name, match.event.facts.get("type")),
        )
    elif _deleted(match, name):
        yield match.finding(
            f"`{name}` is read after `del {name}`", help="Leave the `del` out: memory is freed without it."
        )
    elif Span.of(stored).row > match.event.span.row:
        yield match.finding(
            f"`{name}` is read before it is bound on line {row(match, stored)}", help=f"Bind `{name}` first."
        )
    elif isinstance(_around(match, stored, (ast.If,)), ast.If):
        yield match.finding(
            f"`{name}` is bound to a function or module in a branch, and forgotten when the branch ends",
            help=f"Call it in each branch, and give `{name}` the result: only values leave a branch.",
        )
    else:
        yield match.finding(
            f"`{name}` is not bound here: its binding on line {row(match, stored)} is in another block",
            help=f"Bind `{name}` in the block that reads it, or in one around it.",
        )


def _around(match: Match, node: ast.AST, kinds: tuple[type[ast.AST], ...]) -> ast.AST | None:
    """The innermost statement of some kinds around a node, within the function."""
    around = parent(match, node)
    while around is not None and not isinstance(around, ast.FunctionDef):
        if isinstance(around, kinds):
            return around
        around = parent(match, around)
    return None


def _deleted(match: Match, name: str) -> bool:
    """Whether a ``del`` of the name stands before its use."""
    node = function(match)
    return node is not None and any(
        isinstance(child, ast.Name) and child.id == name and isinstance(child.ctx, ast.Del)
        and child.lineno < match.event.span.row
        for child in walking.walk(node)
    )  # fmt: skip


def _loop(match: Match, stored: ast.AST) -> ast.For | ast.While | None:
    """The loop that binds the name and has ended before it is read: the outermost such."""
    found: ast.For | ast.While | None = None
    around = _around(match, stored, (ast.For, ast.While))
    while isinstance(around, (ast.For, ast.While)):
        if not any(child is match.event.node for child in walking.walk(around)):
            found = around
        around = _around(match, around, (ast.For, ast.While))
    return found


def _before(match: Match, loop: ast.For | ast.While, name: str, type_: str | None) -> Fix | None:
    if not alone_on_its_lines(match, loop):
        return None
    at = Position(row(match, loop), 1)
    indent = indentation(match.source.lines[at.row - 1])
    first = _FIRST.get(type_ or "")
    imports: tuple[Edit, ...] = ()
    if type_ is not None and type_.startswith("Tensor"):
        torch, imports = match.imported("torch")
        first = f"{torch}.empty(0)"
    line = match.insert(at, f"{indent}{name} = {first or '...'}{match.source.newline}")
    if first is None:
        return display("Bind it before the loop", line)
    said = f"Bind it before the loop (where that never runs, it is `{first}` instead of an error)"
    return unsafe(said, line, *imports)


def _ways_out(match: Match, name: str) -> str:
    """A name that was meant, or where to define it."""
    known = [_nearest_of_module(name, _module_names(match.border.tree))]
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
