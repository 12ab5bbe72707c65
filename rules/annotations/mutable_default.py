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

Making the default inside the function is *unsafe*: a function that changes its default keeps the change from call to
call before the fix, and no longer after it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Fix
from tslint.rule import Finding, Rule, unsafe
from tslint.rules.annotations._common import body_start, from_def, merged, replace

RULE = Rule(code="TS503", name="mutable-default", events=("mutable-default",))


def check(match: Match) -> Iterator[Finding]:
    """Make the default in the body."""
    name, default = match.event.facts["name"], match.event.node
    yield from_def(
        match,
        default,
        f"`{name}` has a default that can be changed: `{match.text(default)}`",
        f"Make `{name}` Optional with the default None, and make the value in the body.",
        _in_body(match, match.event.facts["argument"], default),
    )


def _in_body(match: Match, argument: ast.arg, default: ast.AST) -> Fix | None:
    unit = match.event.unit
    if unit is None or argument.annotation is None:
        return None
    name, annotation, value = argument.arg, match.text(argument.annotation), match.text(default)
    where = body_start(match, unit.function.node)
    if where is None or "\n" in value + annotation:
        return None
    optional, imports = match.imported("typing", "Optional")
    line = match.source.lines[where.row - 1]
    margin, newline = line[: len(line) - len(line.lstrip())], match.source.newline
    lines = f"{margin}if {name} is None:{newline}{margin}    {name} = {value}{newline}"
    edits = [replace(match, argument.annotation, f"{optional}[{annotation}]")] if "Optional[" not in annotation else []
    edits += [replace(match, default, "None"), match.insert(where, lines)]
    return unsafe(f"Make `{value}` in the body", *merged(*imports, *edits))
