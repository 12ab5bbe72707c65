"""# Tuple index out of range

## What it does

Finds an index beyond the end of a tuple.

## Why TorchScript rejects it

A tuple's length is part of its type, so the compiler checks the index, also in branches that never run.

```text
Tuple index out of range. Tuple is length 2 and index is 2
```

## Example

```python
import torch


def second(pair: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    return pair[2]


scripted = torch.jit.script(second)
```

## Use instead

```python
import torch


def second(pair: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    return pair[1]


scripted = torch.jit.script(second)
inputs = ((torch.rand(2), torch.rand(3)),)
```

## Fix safety

No fix in this example: only the author knows which element was meant, or whether the tuple should be a list.

If the code is under an `if` whose test reads attributes set only by `__init__`, the fix makes the result of the test
constant, so that the compiler compiles only one branch. The fix declares a bool attribute as constant (in
`__constants__`, or as `Final[bool]`). This is *safe*: eager mode ignores the declaration. For a comparison such as
`self.stride == 2`, the constructor stores the result in an attribute that is declared as constant; if the comparison
may raise, a property returns the result instead. This is *unsafe*: if other code sets the attribute later, compiled
code keeps the first result, and so does Python if it is stored; a module that was pickled as a whole before has no such
attribute.

If a parameter is annotated as a tuple of one element, but the function reads further elements, the fix writes an
annotation with as many elements as the function reads. This is *unsafe*: compiled callers must pass that many.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.static_branch import decided
from tslint.rewrite.tuple_annotation import longer
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.types import TupleIndexRange

RULE = Rule(code="TS310", name="tuple-index-range", events=(TupleIndexRange,))


def check(match: Match[TupleIndexRange]) -> Iterator[Finding]:
    """Report the index and the length, with a fix that annotates a longer tuple, or excludes the code."""
    node, length, position = match.node, match.event.length, match.event.position
    owner = match.quote(node.value) if isinstance(node, cst.Subscript) else "the tuple"
    shown = match.quote(node) if isinstance(node, cst.Subscript) else f"index {position}"
    if length:
        index = f"an index from 0 to {length - 1}" if length > 1 else "the index 0"
        help = f"Use {index}. If the length varies, make {owner} a list."
    else:
        help = f"This tuple is always empty. If the length varies, make {owner} a list."
    read = node.value.value if isinstance(node, cst.Subscript) and isinstance(node.value, cst.Name) else ""
    yield match.finding(
        f"{owner} has {length} element{'s' if length != 1 else ''}, so {shown} does not exist",
        help=help,
        fix=decided(match, match.event.node) or longer(match, read) or decided(match, match.event.node, any_truth=True),
    )
