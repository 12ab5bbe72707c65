"""# An annotation in the class body that the compiler cannot read

## What it does

Finds annotations in the class body of a module that are strings, that name a module class, or that name a type that
TorchScript does not have. The rule checks only attributes that `__init__` sets.

## Why TorchScript rejects it

Before the compiler compiles any method, it reads the annotations in the class body of all attributes that the instance
has, also of those that compiled code never uses. It cannot read strings there, and `from __future__ import annotations`
turns all annotations into strings. Submodules need no annotation; they may only be annotated with an interface
(`@torch.jit.interface`).

```text
Unknown type annotation: 'int'
```

## Example

```python
from __future__ import annotations

import torch
from torch import nn


class Net(nn.Module):
    size: int

    def __init__(self):
        super().__init__()
        self.size = 3

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.size
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    size: int

    def __init__(self):
        super().__init__()
        self.size = 3

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.size


inputs = (torch.rand(2),)
```

## Fix safety

No fix: without the `__future__` import, other annotations in the file may fail. For the other kinds of annotations, the
right change depends on whether compiled code uses the attribute.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import ClassAnnotation

RULE = Rule(code="TS421", name="class-annotation", events=(ClassAnnotation,))


def check(match: Match[ClassAnnotation]) -> Iterator[Finding]:
    """Report why the compiler cannot read the annotation."""
    event = match.event
    attribute, spelled = event.attribute, event.spelled
    if event.why == "text":
        postponed = not isinstance(match.node, (cst.SimpleString, cst.ConcatenatedString))
        cause = "the `__future__` import makes" if postponed else "the quotes make"
        way = "remove the `__future__` import" if postponed else "remove the quotes"
        yield match.finding(
            f"{cause} `{attribute}: {spelled}` a string, which the compiler cannot read",
            help=f"Remove the annotation if the value in `__init__` is a module, or shows the type; or {way}.",
        )
    elif event.why == "module":
        yield match.finding(
            f"`{attribute}: {spelled}` names a module class, which is not a type in TorchScript",
            help=f"Remove the annotation of `{attribute}`: the compiler needs none for submodules.",
        )
    else:
        container = spelled.rpartition(".")[2].lower()
        message, way = (
            f"`{attribute}: {spelled}` names a type that TorchScript does not have",
            "Annotate with a TorchScript type",
        )
        if container in ("list", "tuple", "dict"):
            parts = "keys and values" if container == "dict" else "elements"
            message, way = f"`{attribute}: {spelled}` does not name the types of its {parts}", "Add them in brackets"
        yield match.finding(
            message, help=f"{way}, or remove the annotation if compiled code does not use `{attribute}`."
        )
