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

No fix: give all elements one type, or write `if i == 0:` and use literal indices.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.type_reasons import because
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import a
from tslint.script.events.types import TupleIndex
from tslint.script.types import INT

RULE = Rule(code="TS311", name="tuple-index", events=(TupleIndex,))


def check(match: Match[TupleIndex]) -> Iterator[Finding]:
    """Report an index that is not a literal int."""
    node, type_ = match.node, match.event.type
    owner = match.quote(node.value) if isinstance(node, cst.Subscript) else "the tuple"
    index, written = "the index", None
    if isinstance(node, cst.Subscript):
        part = node.slice[0].slice
        written = part.value if isinstance(part, cst.Index) else part
        index = match.quote(written)
    if type_ is not None:
        yield match.finding(
            f"{owner} is a tuple, but its index {index} is {a(type_)}, not an int",
            help=because(match, written, type_, INT) or "Write an integer literal, or convert the index with `int(…)`.",
        )
        return
    if m.matches(node, m.Subscript(slice=[m.SubscriptElement(m.Slice())])):
        yield match.finding(
            f"{owner} is a tuple, whose slices need literal bounds, not {index}",
            help="Write the bounds as integers, or use a list.",
        )
        return
    yield match.finding(
        f"{owner} has elements of several types, so TorchScript cannot index it by the variable {index}",
        help=f"Use literal indices in an `if`/`elif`, or give all elements of {owner} one type.",
    )
