"""# `len` of an Optional

## What it does

Finds `len(x)` where `x` is an Optional, a Union, Any, or another type that has no length in TorchScript.

## What goes wrong

TorchScript accepts it, but the result is always 1: TorchScript counts the arguments of `len`. Python counts the items
of `x`, or raises a TypeError if `x` has no length.

## Example

```python
from typing import List, Optional

import torch


def dimensions(x: torch.Tensor, sizes: Optional[List[int]]) -> int:
    return len(sizes)


scripted = torch.jit.script(dimensions)
inputs = (torch.ones(2), [2, 3])
```

## Use instead

```python
from typing import List, Optional

import torch


def dimensions(x: torch.Tensor, sizes: Optional[List[int]]) -> int:
    assert sizes is not None
    return len(sizes)


scripted = torch.jit.script(dimensions)
inputs = (torch.ones(2), [2, 3])
```

## Fix safety

The fix puts `assert x is not None` before the statement. This is *unsafe*: if the value is None, Python raises
AssertionError, not TypeError. Only an Optional has a fix.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rewrite.guard_none import without_none_fix
from tslint.rewrite.type_reasons import type_first, without_none
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import a, said
from tslint.script.events.hazards import CountedArguments
from tslint.script.types import ANY, UnionType, may_be_none

RULE = Rule(code="TS624", name="length-of-optional", events=(CountedArguments,), severity=Severity.WARNING)
_BARE = {"list": "List[…]", "dict": "Dict[…, …]", "tuple": "Tuple[…, …]"}


def check(match: Match[CountedArguments]) -> Iterator[Finding]:
    """Report the value, with a fix that asserts that it is not None."""
    value, type_ = match.libcst(match.event.value), match.event.type
    why = f"is {a(type_)}"
    help = f"Only Tensors, lists, dicts, tuples and strings have a length: make {match.quote(value)} one of them."
    if isinstance(type_, UnionType) or type_ == ANY:
        help = type_first(match.quote(value))
    if said(type_) in _BARE:
        why = f"is annotated as `{said(type_)}`, without element types"
        help = f"Annotate the types of its elements: `{_BARE[said(type_)]}`."
    yield match.finding(
        f"`len` is always 1 here in TorchScript: {match.quote(value)} {why}",
        help=without_none(match, value, type_) if may_be_none(type_) else help,
        fix=without_none_fix(match, value, type_),
    )
