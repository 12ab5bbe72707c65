"""# Variable index into a tuple of mixed types

## What it does

Finds `t[i]` where `t` is a tuple with elements of different types and `i` is not a literal.

## Why TorchScript rejects it

The type of `t[i]` would depend on `i`, and every expression has one type.

```text
Cannot index into a Tuple[Tensor, int] with a non-integer literal because we cannot resolve the output type
```

## Example

```python
import torch


def pick(x: torch.Tensor, i: int):
    choices = (x, 1)
    return choices[i]


scripted = torch.jit.script(pick)
```

## Use instead

```python
import torch


def pick(x: torch.Tensor, i: int):
    choices = (x, torch.tensor(1))
    return choices[i]


scripted = torch.jit.script(pick)
inputs = (torch.rand(2), 0)
```

## Fix safety

No fix: make the elements one type, or write `if i == 0:` and use literal indices.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.rewrite.type_wording import a, quote
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule(code="TS311", name="tuple-index", events=("tuple-index",))


def check(match: Match) -> Iterator[Finding]:
    """Name the index."""
    node = match.event.node
    owner = quote(match, node.value) if isinstance(node, ast.Subscript) else "the tuple"
    index = quote(match, node.slice) if isinstance(node, ast.Subscript) else "the index"
    if "type" in match.event.facts:
        yield match.finding(
            f"{owner} is a tuple, which has to be indexed by an int: {index} is {a(match.event.facts['type'])}",
            help="Use a literal index.",
        )
        return
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        yield match.finding(
            f"{owner} is a tuple, whose slices need bounds that are literals ({index})",
            help="Write the bounds as integers, or use a list.",
        )
        return
    yield match.finding(
        f"{owner} holds different types, so TorchScript cannot index it by a variable ({index})",
        help="Use literal indices in an `if`/`elif`, or make all its elements one type.",
    )
