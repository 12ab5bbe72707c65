"""# Assignment to an item that cannot be assigned

## What it does

Finds `t[i] = v` for a tuple or a string, and `l[a:b] = v` and `l[i, j] = v` for a list.

## Why TorchScript rejects it

Tuples and strings cannot be changed, as in Python. Lists can, but only item by item: assigning to a slice is not
supported.

```text
Sliced expression not yet supported for subscripted assignment. File a bug if you want this
```

## Example

```python
from typing import List

import torch


def reset(values: List[int]) -> List[int]:
    values[:2] = [0, 0]
    return values


scripted = torch.jit.script(reset)
```

## Use instead

```python
from typing import List

import torch


def reset(values: List[int]) -> List[int]:
    for i in range(2):
        values[i] = 0
    return values


scripted = torch.jit.script(reset)
inputs = ([1, 2, 3],)
```

## Fix safety

No fix: a slice assignment may change the list's length.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.type_reasons import without_none
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import a
from tslint.script.events.types import ItemAssignment
from tslint.script.types import BOOL, STRING, DictType, ListType, TupleType, may_be_none

RULE = Rule(code="TS323", name="item-assignment", events=(ItemAssignment,))


def check(match: Match[ItemAssignment]) -> Iterator[Finding]:
    """Report the assignment, and what the type supports instead."""
    node, type_ = match.node, match.event.type
    owner = match.quote(node.value) if isinstance(node, cst.Subscript) else "the value"
    if match.event.many:
        message = f"{owner} is {a(type_)}, which accepts one index at a time"
        help = "Only Tensors accept several indices: write one pair of brackets for each index, "
        help += f"`{owner.strip('`')}[i][j] = …`."
        if isinstance(type_, DictType):
            help = "A key is one str, number or Tensor: use nested dicts, or join the indices into one str."
    elif isinstance(type_, ListType):
        message = f"{owner} is {a(type_)}: TorchScript only assigns single items of a list, not slices"
        v = owner.strip("`")
        help = "Assign item by item in a loop."
        if m.matches(node, m.Subscript(slice=[m.SubscriptElement(m.Slice(step=None))])):
            help = f"Assign item by item in a loop, or build a new list: `{v}[:start] + new + {v}[stop:]`."
    elif may_be_none(type_) and isinstance(node, cst.Subscript):
        message, help = f"{owner} is {a(type_)}, whose items cannot be assigned", without_none(match, node.value, type_)
    else:
        message = f"{owner} is {a(type_)}, whose items cannot be assigned"
        help = f"Build a new value. If {owner} should be a list or a dict, annotate the variable that it comes from."
        if isinstance(type_, TupleType):
            help = f"Build a new tuple, or create {owner} as a list."
        elif type_ == STRING:
            help = f"Build a new string, such as `{owner.strip('`')}[:i] + new + {owner.strip('`')}[i + 1:]`."
        elif type_ == BOOL:
            help = f"If {owner} comes from `and` or `or`, write `if` and `else` instead: both give a bool."
    yield match.finding(message, help=help)
