"""# Class variable that is read through `self`

## What it does

Finds `self.K` in code that `torch.jit.script` compiles where the class body has `K = 3`.

## Why TorchScript rejects it

The compiler reads the attributes of the instance. From the class body it reads only methods, and constants that are
declared `Final` or listed in `__constants__`.

```text
Module 'Block' has no attribute 'expansion'
```

## Example

```python
import torch
from torch import nn


class Block(nn.Module):
    expansion = 4

    def forward(self, x):
        return x * self.expansion


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
from typing import Final

import torch
from torch import nn


class Block(nn.Module):
    expansion: Final[int] = 4

    def forward(self, x):
        return x * self.expansion


inputs = (torch.rand(2, 3),)
```

## Fix safety

The fix declares the variable `Final`. This is *safe*: Python ignores the annotation. The fix is *unsafe* if a base
class has annotations in its body and this class has none: the compiler reads only the annotations of the nearest class
that has any, so it would no longer read those of the base class. There is no fix if the file assigns to an attribute of
that name.

There is no fix in a file with `from __future__ import annotations`, where the compiler cannot read the annotation.
There, write `__constants__ = ["expansion"]` in the class body.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import expression
from tslint.script.dataflow.annotation_style import postpones
from tslint.script.dataflow.class_annotations import (
    can_annotate,
    class_that_says,
    common_type,
    constant_type,
)
from tslint.script.dataflow.stores import file_facts
from tslint.script.events.modules import ClassVariable, MemberClass

RULE = Rule(code="TS409", name="class-variable", events=(ClassVariable, MemberClass))


def check(match: Match[ClassVariable | MemberClass]) -> Iterator[Finding]:
    """Report the class variable, with a fix that declares it ``Final``."""
    event = match.event
    name = event.attribute
    value = event.detail if len(event.detail) < 40 else "..."
    help = f"Set `self.{name}` in `__init__`, or declare the class variable: `{name}: Final = {value}`."
    # A constant None is of no use: something else sets the value later.
    if constant_type(getattr(event.definition, "value", None)) is None or value == "None":
        help = f"Set `self.{name}` in `__init__`."
    elif postpones(match.file.tree) or any(
        not hasattr(each, "id") for each in getattr(event.definition, "targets", ())
    ):
        help = f'Set `self.{name}` in `__init__`, or write `__constants__ = ["{name}"]` in the class body.'
    if isinstance(event, MemberClass):
        help = f"Define `{event.detail}` at module level, and use it by its name, not through `self`."
    yield match.finding(
        f"`{event.owner}.{name}` is a class variable of `{event.class_name}`, which TorchScript does not see",
        help=help,
        fix=_final(match, name) if isinstance(event, ClassVariable) else None,
    )


def _final(match: Match[ClassVariable | MemberClass], name: str) -> Fix | None:
    event, tree, known = match.event, match.file.tree, file_facts(match.file.tree)
    statement, own = event.definition, event.class_
    value = getattr(statement, "value", None)
    type_ = constant_type(value)
    # If the file assigns to the attribute elsewhere, it is not a constant.
    if type_ is None or statement is None or own is None or name in known.stores or known.is_set_by_name(name):
        return None
    possible = can_annotate(tree, class_that_says(tree, statement, own), event.annotated)
    if possible is None:
        return None
    final, imports = match.imported("typing", "Final")
    make = safe if possible else partial(unsafe, risks=(Risk.REFUSES,))
    node = match.libcst(statement)
    if isinstance(node, cst.AnnAssign):
        written = node.annotation.annotation
        if "Final" in match.code(written):
            return None  # hidden by the annotations of a derived class
        message = f"Declare `{name}: {final}[{match.code(written)}]`"
        new = expression("{final}[{type}]", final=final, type=written)
        return make(message, *imports, lambda: match.replace(written, new))
    if not m.matches(node, m.Assign(targets=[m.AssignTarget(target=m.Name())])) or not isinstance(node, cst.Assign):
        return None
    if not type_ or not common_type(tree, name, type_):
        type_ = None
    pattern = "{final}[{type}]" if type_ else "{final}"
    target, assigned = node.targets[0].target, node.value

    def declaration() -> cst.AnnAssign:
        annotation = expression(pattern, final=final, type=type_ or "None")
        return cst.AnnAssign(target, cst.Annotation(annotation), assigned)

    message = f"Declare `{name}: {f'{final}[{type_}]' if type_ else final}`"
    return make(message, *imports, lambda: match.replace(node, declaration()))
