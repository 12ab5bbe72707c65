"""# List or dict as a default

## What it does

Finds parameters whose default is a list, dict or set, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Python makes the default once and shares it among all calls; a compiled function cannot.

```text
Mutable default parameters are not supported because Python binds them to the function and they persist across
```

## Example

```python
from typing import List

import torch


def pad(x: torch.Tensor, sizes: List[int] = [1, 1]) -> torch.Tensor:
    return torch.nn.functional.pad(x, sizes)


scripted = torch.jit.script(pad)
inputs = (torch.rand(3),)
```

## Use instead

```python
from typing import List, Optional

import torch


def pad(x: torch.Tensor, sizes: Optional[List[int]] = None) -> torch.Tensor:
    if sizes is None:
        sizes = [1, 1]
    return torch.nn.functional.pad(x, sizes)


scripted = torch.jit.script(pad)
inputs = (torch.rand(3),)
```

## Fix safety

A list of constants becomes a tuple where the function only reads it (`for i in sizes`, `sizes[0]`, `len(sizes)`): the
compiler takes it for a list, so this is *safe*. There is no fix elsewhere: in Python the default keeps its changes from
call to call, and None could be told from it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix
from tslint.rewrite.annotate import from_def, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.dataflow.taken import taken

_READING = frozenset(["len", "range", "enumerate", "zip", "sum", "min", "max", "sorted", "list", "reversed"])
_LISTS = frozenset(["List[int]", "List[float]", "int", "one"])
RULE = Rule(code="TS503", name="mutable-default", events=("mutable-default",))


def check(match: Match) -> Iterator[Finding]:
    """Make the default in the body."""
    name, default = match.event.facts["name"], match.event.node
    yield from_def(
        match,
        default,
        f"`{name}` has a default that can be changed: `{match.text(default)}`",
        f"Make `{name}` Optional with the default None, and make the value in the body.",
        _as_tuple(match, match.event.facts["argument"], default),
    )


def _as_tuple(match: Match, argument: ast.arg, default: ast.AST) -> Fix | None:
    """``[1, 2]`` → ``(1, 2)``, a list to the compiler, where the function cannot tell one from the other."""
    unit = match.event.unit
    if unit is None or not isinstance(default, ast.List) or not _is_only_read(match, unit.function.node, argument.arg):
        return None
    text = match.text(default)
    if "\n" in text or any(not isinstance(each, (ast.Constant, ast.UnaryOp)) for each in default.elts):
        return None
    inner = text[1:-1].strip().rstrip(",")
    written = f"({inner}{',' if len(default.elts) == 1 else ''})"
    return safe(f"Write `{written}`", replace(match, default, written))


def _is_only_read(match: Match, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Whether a function does nothing with a sequence but what lists and tuples do alike."""
    if name in walking.bound(function):
        return False
    parents = walking.parents(function)
    for node in walking.walk(function):
        if not isinstance(node, ast.Name) or node.id != name:
            continue
        around = parents.get(node)
        looped = isinstance(around, (ast.For, ast.comprehension)) and around.iter is node
        item = isinstance(around, ast.Subscript) and around.value is node and not isinstance(around.slice, ast.Slice)
        item = item and isinstance(around.ctx, ast.Load) if isinstance(around, ast.Subscript) else False
        called = isinstance(around, ast.Call) and isinstance(around.func, ast.Name) and around.func.id in _READING
        call = parents.get(around) if isinstance(around, ast.keyword) else around
        if isinstance(call, ast.Call) and call.func is not node:
            types = taken(match.file.tree, call, node, around.arg if isinstance(around, ast.keyword) else None)
            called = called or (bool(types) and all(each in _LISTS for each in types))
        within = isinstance(around, ast.Compare) and isinstance(around.ops[0], (ast.In, ast.NotIn))
        within = within and isinstance(around, ast.Compare) and around.left is not node
        if not (looped or item or called or within or isinstance(around, (ast.Starred, ast.If, ast.While))):
            return False
    return True
