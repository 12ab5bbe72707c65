"""# Loop over something that TorchScript cannot iterate

## What it does

Finds `for` loops and comprehensions over a module, `None`, an Optional value, a number or the result of a generator
function, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Only Tensors, lists, dicts, strings, tuples, ranges and containers of modules can be iterated.

```text
'NoneType' object is not iterable
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, heads: bool = False):
        super().__init__()
        self.with_heads = heads
        self.heads = nn.ModuleList([nn.Linear(3, 3)]) if heads else None

    def forward(self, x):
        if self.with_heads:
            for head in self.heads:
                x = head(x)
        return x * 2


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, heads: bool = False):
        super().__init__()
        self.heads = nn.ModuleList([nn.Linear(3, 3)]) if heads else None

    def forward(self, x):
        if self.heads is not None:
            for head in self.heads:
                x = head(x)
        return x * 2


inputs = (torch.rand(2, 3),)
```

## Fix safety

No fix: only the author knows what the loop should iterate over.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.annotate import as_written
from tslint.rewrite.loops import loop_over
from tslint.rewrite.type_reasons import type_first
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import a, said
from tslint.script.events.modules import NotIterable
from tslint.script.types import GENERATED, INT, NONE, ClassType, OptionalType, UnionType

RULE = Rule(code="TS415", name="not-iterable", events=(NotIterable,))


def check(match: Match[NotIterable]) -> Iterator[Finding]:
    """Report the loop from its beginning, as the compiler does."""
    event = match.event
    type_, looped = event.type, match.libcst(event.part) if event.part is not None else match.node
    text, written = match.quote(looped), match.code(looped)
    if event.module is not None or type_ is None:
        message = f"`{event.module}` is a module, which cannot be iterated"
        help = "Loop over a container in it: an nn.ModuleList, nn.ModuleDict, nn.ParameterList or a list of Tensors."
    elif type_ == NONE:
        message = f"{text} is None, which cannot be iterated"
        help = f"Loop under `if {written} is not None:`. TorchScript drops that branch if the value is None."
    elif isinstance(type_, OptionalType):
        message = f"{text} may be None ({said(type_)}), which cannot be iterated"
        help = f"Assign it to a local variable, `v = {written}`, and loop over `v` under `if v is not None:`."
        if isinstance(looped, cst.Name):
            help = f"Loop over it under `if {written} is not None:`."
    elif type_ == GENERATED:
        message = f"{text} is a generator, which cannot be compiled"
        help = "In that function, collect the values in a list and return it."
    elif type_ == INT:
        message, help = f"{text} is an int, which cannot be iterated", f"Loop over `range({written})`."
        if isinstance(looped, cst.Attribute):
            help = f"Store a tuple or a list in `{written}`; if it is a count, loop over `range({written})`."
    elif str(type_) in ("list", "List", "dict", "Dict", "tuple", "Tuple"):
        message = f"{text} is annotated as {type_} without element types, so it cannot be iterated"
        help = "Annotate the types of the elements, for example `List[Tensor]` or `Tuple[Tensor, int]`."
        if isinstance(looped, cst.Name) and str(type_).lower() == "list":
            help = f"Annotate the type of the elements, for example `{written}: {as_written(match, 'List[Tensor]')}`."
    else:
        message = f"{text} is {a(type_)}, which TorchScript cannot iterate"
        help = type_first(text) if isinstance(type_, UnionType) else "Loop over a list, a tuple or a tensor."
        if isinstance(type_, ClassType):
            help = "Write out what the loop does for each item."
    start, end = match.place(match.node)
    loop = loop_over(match, match.node)
    if loop is not None and not isinstance(match.node, cst.Call):
        start, _ = match.place(loop.node)
    yield Finding(message, help, None, start, end)
