"""# Tensor as an index after an ellipsis

## What it does

Finds a Tensor or a list among the indices after `...`: `x[..., index]`, `x[..., [0, 2]]`, `x[..., x > 0]`.

## Why TorchScript rejects it

A Tensor or a list selects in one dimension, and the compiler must know which one. After `...` it does not know that,
because `...` stands for any number of dimensions. Ints, slices and `None` are allowed there.

```text
Ellipses followed by tensor indexing is currently not supported
```

## Example

```python
import torch


def picked(x: torch.Tensor, index: torch.Tensor):
    return x[..., index]


scripted = torch.jit.script(picked)
inputs = (torch.rand(2, 3), torch.tensor([2, 0]))
```

## Use instead

Write a `:` for each dimension, or select in the last dimension with `index_select`:

```python
import torch


def picked(x: torch.Tensor, index: torch.Tensor):
    return x.index_select(-1, index)


scripted = torch.jit.script(picked)
inputs = (torch.rand(2, 3), torch.tensor([2, 0]))
```

`index_select` takes a one-dimensional Tensor of ints. For a mask, move the dimensions that it covers to the front:
`x.transpose(0, -1)[mask]`.

## Fix safety

No fix: the number of dimensions of a Tensor is not known before the code runs.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.type_reasons import unannotated
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import a, short
from tslint.script.events.types import TensorAfterEllipsis
from tslint.script.types import TensorType

RULE = Rule(code="TS341", name="tensor-after-ellipsis", events=(TensorAfterEllipsis,))


def check(match: Match[TensorAfterEllipsis]) -> Iterator[Finding]:
    """Report an index that cannot follow ``...``, and its type."""
    index = match.libcst(match.event.index)
    argument = unannotated(match, index) if isinstance(index, cst.BaseExpression) else None
    if argument is not None:
        name = argument.name.value
        message = f"`{name}` has no annotation, so it is a Tensor, and cannot follow `...` in an index"
        help = f"If `{name}` is an int, annotate it: `{name}: int`. If it is a Tensor, write `:` for each dimension "
        help += "instead of `...`."
    else:
        message = f"{match.quote(index)} is {a(match.event.type)} and cannot follow `...` in an index"
        help = "Write `:` for each dimension instead of `...`."
        if isinstance(match.event.type, TensorType) and (selected := _selected(match, index)) is not None:
            help = f"{help[:-1]}, or, if the index has one dimension, {selected}."
    yield match.finding(message, help=help)


def _selected(match: Match[TensorAfterEllipsis], index: cst.CSTNode) -> str | None:
    """Return the call that reads ``x[..., index]``; None if there are other indices, or if the item gets a value."""
    item = next((each for each in match.ancestors(index) if isinstance(each, cst.Subscript)), None)
    around = match.parent(item) if item is not None else None
    targets = [each.target for each in around.targets] if isinstance(around, cst.Assign) else []
    if item is None or len(item.slice) != 2 or isinstance(around, cst.AugAssign) or any(t is item for t in targets):
        return None
    return short(f"{match.code(item.value)}.index_select(-1, {match.code(index)})")
