"""# Attribute annotated outside `__init__`

## What it does

Finds annotations of attributes (`self.scale: float = 2.0`, `self.layer.scale: float = 2.0`) in compiled methods other
than `__init__`.

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

Annotate the attribute in the class body, or not at all. In the method, assign it without an annotation:

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

The fix removes the annotation, which is *safe*: Python never evaluates annotations inside a function.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.removal import removed
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.events.syntax import AttributeAnnotation

RULE = Rule(code="TS125", name="attribute-annotation", events=(AttributeAnnotation,))
# An attribute of a name: its evaluation has no effects.
_PLAIN = m.Attribute(value=m.Name())


def check(match: Match[AttributeAnnotation]) -> Iterator[Finding]:
    """Report the attribute and its annotation, with a fix that removes the annotation."""
    node = match.node
    if isinstance(node, cst.AnnAssign):
        name = node.target.attr.value if isinstance(node.target, cst.Attribute) else "attribute"
        owner = node.target.value if isinstance(node.target, cst.Attribute) else None
        body = "the class body"
        if owner is not None and not m.matches(owner, m.Name(match.self_name or "self")):
            body = f"the body of the class of {match.quote(owner)}"
        yield Finding(
            f"`{match.code(node.target)}` is annotated outside `__init__`, which cannot be compiled",
            f"Write `{name}: {match.code(node.annotation.annotation)}` in {body}, and no annotation here.",
            _fix(match, node),
            match.place(node.target)[0],
            match.place(node.annotation.annotation)[1],
        )


def _fix(match: Match, node: cst.AnnAssign) -> Fix | None:
    value = node.value
    if value is not None:
        target = cst.AssignTarget(node.target)
        if isinstance(node.equal, cst.AssignEqual):
            before, after = node.equal.whitespace_before, node.equal.whitespace_after
            target = target.with_changes(whitespace_before_equal=before, whitespace_after_equal=after)
        return safe("Remove the annotation", lambda: match.replace(node, cst.Assign([target], value)))
    # If only the annotation were removed, the statement would read the attribute, which may not exist.
    return safe("Remove the declaration", lambda: removed(match, node)) if m.matches(node.target, _PLAIN) else None
