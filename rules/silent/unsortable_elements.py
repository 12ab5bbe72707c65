"""# Sorted elements that have no order in compiled code

## What it does

Finds `sorted(...)` and `.sort()` of lists whose elements are tuples with a Tensor, such as `sorted(pieces.items())`,
and of lists whose elements are, or contain, lists, dicts or `None`.

## What goes wrong

TorchScript accepts it, but raises when the code runs. It compares only tuples of the same type, and the type of a
tensor in a tuple includes the shape, the strides and the dtype. TorchScript raises even if Python would not have to
compare the tensors. It cannot compare lists, dicts and `None`.

```text
Only values of same type can be compared
```

## Example

```python
from typing import Dict

import torch


def total(pieces: Dict[str, torch.Tensor]):
    out = torch.zeros(())
    for name, piece in sorted(pieces.items()):
        out = out * 2 + piece.sum()
    return out


scripted = torch.jit.script(total)
inputs = ({"b": torch.ones(2), "a": torch.ones(3)},)
```

## Use instead

```python
from typing import Dict

import torch


def total(pieces: Dict[str, torch.Tensor]):
    out = torch.zeros(())
    for name in sorted(pieces.keys()):
        out = out * 2 + pieces[name].sum()
    return out


scripted = torch.jit.script(total)
inputs = ({"b": torch.ones(2), "a": torch.ones(3)},)
```

## Fix safety

No fix: only the author knows which part of an element decides the order.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import UnsortableElements

RULE = Rule(code="TS622", name="unsortable-elements", events=(UnsortableElements,), severity=Severity.WARNING)


def check(match: Match[UnsortableElements]) -> Iterator[Finding]:
    """Report the call that sorts, and the type of the elements."""
    elements = match.event.elements
    unless = " unless all tensors have one shape and dtype" if match.event.tensors else " unless the list is empty"
    yield match.finding(
        f"sorting values of type {elements} raises in TorchScript{unless}",
        help="Sort only what decides the order, for example the keys of a dict.",
    )
