"""# Function defined inside compiled code

## What it does

Finds `def` (and `async def`) inside functions that `torch.jit.script` compiles.

## Why TorchScript rejects it

Functions are no values in TorchScript: there are no closures, and a function can only be called by a name that exists
when the model is compiled.

```text
function definitions aren't supported
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        def halve(t: torch.Tensor) -> torch.Tensor:
            return t / 2

        return halve(x)


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


def halve(t: torch.Tensor) -> torch.Tensor:
    return t / 2


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return halve(x)


inputs = (torch.rand(3),)
```

What the inner function takes from around it becomes a parameter.

## Fix safety

Moving the function to module level is offered where it uses no variable of the function around it, and where the
module has no such name yet. It is *unsafe*: a module-level name is visible to everybody. One that only returns an
expression is written out where it is called, and one that uses nothing but `self` becomes a method; both are *unsafe*,
as they move code.
"""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections import Counter
from collections.abc import Iterator

from tslint import walking
from tslint.border import Match
from tslint.diagnostics import Fix, Position
from tslint.rule import Finding, Rule, unsafe
from tslint.rules.syntax._common import (
    alone_on_its_lines,
    at_keyword,
    compiled_function,
    parent,
    remove_statement,
    spans_rows,
)
from tslint.rules.syntax._inlining import as_method, expression_of, inlined

RULE = Rule(code="TS102", name="nested-function", events=("nested-function",))


def check(match: Match) -> Iterator[Finding]:
    """Underline ``def``; offer to hoist what captures nothing."""
    node = match.event.node
    keyword = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    yield at_keyword(
        match,
        keyword,
        f"`{match.event.facts['name']}` is defined inside compiled code: TorchScript has no closures",
        "Move it to module level or make it a method; what it uses from around it becomes a parameter.",
        _fix(match, node) if isinstance(node, ast.FunctionDef) else None,
    )


def _fix(match: Match, node: ast.FunctionDef) -> Fix | None:
    hoisted = _hoist(match, node)
    around = compiled_function(match, parent(match, node))
    if hoisted is not None or around is None:
        return hoisted
    result = expression_of(node)
    if result is not None:
        return inlined(match, around, node.name, node, node.args, result)
    return as_method(match, around, node)


def _hoist(match: Match, node: ast.FunctionDef) -> Fix | None:
    around = parent(match, node)
    module = match.border.tree
    if not isinstance(around, ast.FunctionDef):
        return None
    if node.decorator_list or spans_rows(node) or not alone_on_its_lines(match, node):
        return None
    elsewhere = _names_of_module(module)[node.name] > _names(around)[node.name]
    if len(around.body) < 2 or elsewhere or _names(node).keys() & _bound(around):
        return None
    top = next(each for each in module.body if each.lineno <= node.lineno <= (each.end_lineno or 0))
    first = min([top.lineno, *(decorator.lineno for decorator in getattr(top, "decorator_list", []))])
    newline = match.source.newline
    lines = match.source.lines[node.lineno - 1 : node.end_lineno]
    text = textwrap.dedent("".join(lines)).rstrip() + 3 * newline
    edit = match.insert(Position(first, 1), text)
    return unsafe(f"Move `{node.name}` to module level", edit, remove_statement(match, node))


def _names(tree: ast.AST) -> Counter[str]:
    """Every name inside a definition, its own left out, and how many there are."""
    found: Counter[str] = Counter()
    for node in walking.walk(tree):
        if node is tree:
            continue
        if isinstance(node, ast.Name):
            found[node.id] += 1
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] += 1
        elif isinstance(node, ast.alias):
            found[(node.asname or node.name).split(".")[0]] += 1
    return found


@walking.kept
def _names_of_module(tree: ast.Module) -> Counter[str]:
    return _names(tree)


def _bound(function: ast.FunctionDef) -> set[str]:
    """The variables of a function, its parameters included."""
    names = {argument.arg for argument in walking.walk(function.args) if isinstance(argument, ast.arg)}
    for statement in function.body:
        if isinstance(statement, ast.FunctionDef):
            names.add(statement.name)
            continue
        read = [node for node in walking.walk(statement) if isinstance(node, ast.Name)]
        names |= {name.id for name in read if isinstance(name.ctx, ast.Store)}
    return names - set(dir(builtins))
