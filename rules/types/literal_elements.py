"""# List or dict with elements that do not have its annotated type

## What it does

Finds list and dict literals and comprehensions whose elements do not have the type in the annotation of the variable or
of the function's result. It also finds `list(self.layers)` of modules of several types.

## Why TorchScript rejects it

A `List[int]` is not a `List[float]`: the compiler does not convert elements, not even an int to a float. An element may
have a narrower type than the annotation: a Tensor may be in a `List[Optional[Tensor]]`. A list cannot contain modules
of several types.

```text
List type annotation `List[float]` did not match the types of the given list elements, which were unified to int
```

## Example

```python
from typing import List

import torch


def scales(x: torch.Tensor) -> List[float]:
    return [1, 2]


scripted = torch.jit.script(scales)
inputs = (torch.rand(2),)
```

## Use instead

```python
from typing import List

import torch


def scales(x: torch.Tensor) -> List[float]:
    return [1.0, 2.0]


scripted = torch.jit.script(scales)
inputs = (torch.rand(2),)
```

## Fix safety

No fix for literals: only the author knows whether the elements or the annotation are wrong. A loop over
`list(self.layers)` becomes a loop over `self.layers`, which is *safe*. There is no fix if `self.layers` may change
during the loop.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.iterate_copy import copied_container, without_copy
from tslint.rewrite.loops import loop_over
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import said
from tslint.script.events.types import LiteralElements
from tslint.script.types import ListType

RULE = Rule(code="TS337", name="literal-elements", events=(LiteralElements,))


def check(match: Match[LiteralElements]) -> Iterator[Finding]:
    """Report the type of the elements, and the annotated type."""
    event = match.event
    found = "of several types" if event.found is None else f"of type {said(event.found)}"
    whole = "list" if isinstance(event.wanted, ListType) else "dict"
    if isinstance(match.node, cst.Call) and (loop := loop_over(match, match.node)) is not None:
        if (copied := copied_container(loop)) is not None:
            yield match.finding(
                f"{match.quote(match.node)} holds modules of several types, which a TorchScript list cannot hold",
                help=f"Iterate over {match.quote(copied[1])} itself.",
                fix=without_copy(match, loop),
            )
            return
    key, *rest = event.wanted.inside
    wanted = said(rest[0] if event.what == "values" and rest else key)
    yield match.finding(
        f"the {event.what} of this {whole} are {found}, but are annotated as {wanted}",
        help="Write every element with the annotated type, or annotate the type that the elements have.",
    )
