"""# List or dict with elements that do not have its annotated type

## What it does

Finds list and dict literals and comprehensions whose elements do not have the annotated type, which is that of the
variable or the return annotation.

## Why TorchScript rejects it

A `List[int]` is not a `List[float]`: the elements of lists and dicts are never converted, not even an int to a float.

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

No fix: only the author knows whether the elements or the annotation are wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

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
    yield match.finding(
        f"the {event.what} are {found}, but the {whole} is annotated as {said(event.wanted)}",
        help="Give every element the annotated type, or change the annotation to the type of the elements.",
    )
