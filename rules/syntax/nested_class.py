"""# Class defined inside compiled code

## What it does

Finds `class` statements inside functions that `torch.jit.script` compiles.

## Why TorchScript rejects it

Classes are compiled once, from their definition at module level; compiled code cannot create classes.

```text
class definitions aren't supported
```

## Example

```python
import torch


def area(x: torch.Tensor) -> torch.Tensor:
    class Pair:
        def __init__(self, left: torch.Tensor, right: torch.Tensor):
            self.left = left
            self.right = right

    pair = Pair(x, x + 1)
    return pair.left * pair.right


scripted = torch.jit.script(area)
```

## Use instead

```python
from typing import NamedTuple

import torch


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


def area(x: torch.Tensor) -> torch.Tensor:
    pair = Pair(x, x + 1)
    return pair.left * pair.right


scripted = torch.jit.script(area)
inputs = (torch.rand(3),)
```

## Fix safety

No fix: at module level, the class may not compile, either.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.syntax import NestedClass

RULE = Rule(code="TS103", name="nested-class", events=(NestedClass,))


def check(match: Match[NestedClass]) -> Iterator[Finding]:
    """Report the class at its keyword."""
    name = match.event.name
    help = f"Move `{name}` to module level, as a `NamedTuple` or a class that TorchScript can compile."
    if any("autograd.Function" in match.code(base) for base in _bases(match.node)):
        help = f"Move the code that uses `{name}` into a function marked `@torch.jit.ignore`: only Python can run it."
    yield match.finding(
        f"`{name}` is defined inside compiled code: TorchScript cannot create classes",
        help=help,
        keyword="class",
    )


def _bases(node: cst.CSTNode) -> tuple[cst.BaseExpression, ...]:
    return tuple(each.value for each in node.bases) if isinstance(node, cst.ClassDef) else ()
