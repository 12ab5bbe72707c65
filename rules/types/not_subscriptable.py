"""# Index into something that has no items

## What it does

Finds `v[…]` where `v` is None, may be None, or is a number, and `v[i, j]` for a list or a dict.

## Why TorchScript rejects it

Only Tensors, lists, dicts, tuples and strings have items. A value that may be None has no items until a test has shown
that it is not None, and the compiler remembers only tests of plain variables, not of `self.v` or `d["v"]`.

```text
'Optional[List[Tensor]]' object is not subscriptable
```

## Example

```python
from typing import List, Optional

import torch


def first(states: Optional[List[torch.Tensor]]) -> torch.Tensor:
    return states[0]


scripted = torch.jit.script(first)
inputs = ([torch.rand(2)],)
```

## Use instead

```python
from typing import List, Optional

import torch


def first(states: Optional[List[torch.Tensor]]) -> torch.Tensor:
    assert states is not None
    return states[0]


scripted = torch.jit.script(first)
inputs = ([torch.rand(2)],)
```

## Fix safety

If a value may be None, the fix puts `assert v is not None` before the statement; an attribute is first assigned to a
variable `v`. This is *unsafe*: for None, compiled code raises, and Python raises AssertionError if it raised another
exception there before. If an attribute is None only for some arguments of `__init__`, the fix splits
`if self.v is not None and …:`: the rest becomes a second `if` inside `if self.v is not None:`. This is *safe*: the
compiler skips the second `if` if the attribute is None.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.guard_none import without_none_fix
from tslint.rewrite.type_reasons import tensor_instead, type_first, without_none
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import a
from tslint.script.events.types import NotSubscriptable
from tslint.script.types import ANY, BOOL, FLOAT, INT, DictType, UnionType, may_be_none

RULE = Rule(code="TS313", name="not-subscriptable", events=(NotSubscriptable,))


def check(match: Match[NotSubscriptable]) -> Iterator[Finding]:
    """Report the value, with a fix that asserts that it is not None."""
    node, type_ = match.node, match.event.type
    owner = node.value if isinstance(node, cst.Subscript) else node
    if match.event.many:
        help = "Only Tensors accept several indices: write one pair of brackets for each index, "
        help += f"`{match.quote(owner).strip('`')}[i][j]`."
        if isinstance(type_, DictType):
            help = "A key is one str, number or Tensor: use nested dicts, or join the indices into one str."
        yield match.finding(f"{match.quote(owner)} is {a(type_)}, which accepts one index at a time", help=help)
        return
    if str(type_) in ("list", "List", "dict", "Dict", "tuple", "Tuple"):
        yield match.finding(
            f"{match.quote(owner)} is annotated as {type_} without element types, so it cannot be indexed",
            help="Annotate the types of the elements, for example `List[Tensor]` or `Dict[str, Tensor]`.",
        )
        return
    help = "Index only Tensors, lists, dicts, tuples and strings."
    if isinstance(type_, UnionType) or type_ == ANY:
        help = type_first(match.quote(owner))
    if type_ == BOOL and isinstance(owner, cst.Name):
        help = f"If `{owner.value}` comes from `and` or `or`, write `if` and `else` instead: both give a bool."
    if type_ in (INT, FLOAT):
        help = tensor_instead(match, owner) or help
        if m.matches(owner, m.Attribute()) and match.event.condition is not None:
            help = f"Store a list or tuple in {match.quote(owner)} in every construction, such as `[n] * 3` for `n`."
    yield match.finding(
        f"{match.quote(owner)} is {a(type_)}, which has no items",
        help=without_none(match, owner, type_) if may_be_none(type_) else help,
        fix=without_none_fix(match, owner, type_),
    )
