"""# Attribute annotated outside `__init__`

## What it does

Finds `self.attribute: type = value` in compiled methods other than `__init__`, and annotations of attributes of
attributes.

## Why TorchScript rejects it

The types of a module's attributes are fixed before its methods are compiled.

```text
Type annotations on instance attributes must be declared in __init__
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls: int = self.calls + 1
        return x


inputs = (torch.rand(3),)
```

## Use instead

Annotate the attribute in the class body (or not at all) and assign it plainly:

```python
import torch
from torch import nn


class Net(nn.Module):
    calls: int

    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls = self.calls + 1
        return x


inputs = (torch.rand(3),)
```

## Fix safety

Removing the annotation is *safe*: inside a function Python never evaluates it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Edit
from tslint.rewrite.spans import place, remove_statement
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS125", name="attribute-annotation", events=("attribute-annotation",))


def check(match: Match) -> Iterator[Finding]:
    """Underline target and annotation; remove the annotation."""
    node = match.event.node
    if not isinstance(node, ast.AnnAssign):
        return
    start, after = place(match, node.target)
    end = place(match, node.annotation)[1]
    between = match.source.slice(after, place(match, node.annotation)[0])
    fix = safe("Remove the annotation", Edit(after, end, "")) if "(" not in between else None
    if node.value is None:
        # What is left would read the attribute.
        fix = safe("Remove the declaration", remove_statement(match, node)) if _is_plain(node.target) else None
    yield Finding(
        f"`{match.text(node.target)}` is annotated outside `__init__`",
        "Annotate the attribute in the class body, and assign it here without an annotation.",
        fix,
        start,
        end,
    )


def _is_plain(target: ast.expr) -> bool:
    """Whether nothing runs where an attribute's owner is evaluated: ``self.x``."""
    return isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
