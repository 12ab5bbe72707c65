"""# Attribute that is assigned a value of another type

## What it does

Finds `self.x = value` in code that `torch.jit.script` compiles where `value` has another type than the value from
`__init__`, such as a Tensor for an attribute that was `None`.

## Why TorchScript rejects it

An attribute's type is fixed when the module is built: by an annotation in the class body, or else by the attribute's
value.

```text
Wrong type for attribute assignment. Expected NoneType but got Tensor (inferred)
```

## Example

```python
import torch
from torch import nn


class Last(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = None

    def forward(self, x):
        self.seen = x
        return x * 2


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
from typing import Optional

import torch
from torch import nn


class Last(nn.Module):
    seen: Optional[torch.Tensor]

    def __init__(self):
        super().__init__()
        self.seen = None

    def forward(self, x):
        self.seen = x
        return x * 2


inputs = (torch.rand(2, 3),)
```

## Fix safety

For an attribute that is `None` after `__init__`, the fix annotates it in the class body. This is *safe*, because Python
ignores the annotation. The fix is *unsafe* in two cases: if a base class has annotations in its body and this class has
none, because the compiler then no longer reads those of the base class; and if the new value is a parameter without
annotation of a method other than `forward`, because that value need not be a tensor.

In a class that is compiled but is not a module, the compiler does not read such annotations. There, the fix sets the
attribute to `torch.jit.annotate(Optional[…], None)` in `__init__`, which is *safe*, too. There is no fix if the first
value is not None.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.project.definitions import Class
from tslint.rewrite.annotate import Spelled, as_written, spelled
from tslint.rewrite.class_body import at_top
from tslint.rewrite.type_reasons import not_annotated, unannotated
from tslint.rulekit import matchers as m
from tslint.rulekit.literals import LITERAL
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import code, expression, statement
from tslint.rulekit.wording import a, said
from tslint.script.dataflow.annotation_style import postpones
from tslint.script.dataflow.class_annotations import body_annotations, can_annotate, initial_value
from tslint.script.dataflow.stored_types import contradicted
from tslint.script.events.modules import AttributeRetyped
from tslint.script.types import (
    NONE,
    NUMBER,
    OptionalType,
    TensorType,
    Type,
    UnionType,
    has_unknowns,
    is_inferred,
    optional,
)

RULE = Rule(code="TS410", name="retyped-attribute", events=(AttributeRetyped,))
# How many columns a message has for code and types.
_ROOM = 48


def check(match: Match[AttributeRetyped]) -> Iterator[Finding]:
    """Report the assignment, with a fix that annotates an attribute that starts as None."""
    event, node = match.event, match.node
    first, new, name = event.held, event.given, event.attribute
    expected, actual = str(first), said(new)
    target = match.code(match.libcst(event.target))
    assigned = node.value if isinstance(node, (cst.Assign, cst.AnnAssign)) else None
    value = match.code(assigned) if assigned is not None else actual
    short = value != actual and len(value) < 40 and "\n" not in value
    # The two types are more important than the value: a long message would shorten them until they look the same.
    short = short and not ("[" in expected and len(target) + len(expected) + len(value) + len(actual) > _ROOM)
    shown = f"`{value}`, which is {a(new)}" if short else a(new)
    kept = "the type that it starts with" if has_unknowns(first) else f"type {expected}"
    help, fix = f"Set it to a value of {kept}, or annotate `{name}` with another type in the class body.", None
    if first == NONE:
        fix = _optional(match, name, new)
        help = f"Annotate it in the class body: `{name}: {as_written(match, optional(new))}`."
        if new == NUMBER:
            help = (
                f"Convert the number, `int(…)` or `float(…)`, and annotate `{name}: Optional[int]` in the class body."
            )
        if postpones(match.file.tree):
            help += (
                " Remove `from __future__ import annotations`, which turns the annotation into a string that"
                " TorchScript cannot read."
            )
    elif (new == NUMBER or isinstance(new, TensorType)) and expected in ("int", "float", "bool"):
        help = f"Convert it: `{target} = {expected}({value if value != actual else '...'})`."
        if isinstance(new, TensorType):
            start = f"Start with a Tensor in `__init__`, such as `{target} = torch.zeros(())`"
            help = f"{start}, or convert it{help.removeprefix('Convert it')}" if short else f"{start}."
    elif (expected, actual) == ("int", "float"):
        help = f"Start with a float: `{target} = 0.0` in `__init__`."
    if first != NONE and is_inferred(new) and (argument := unannotated(match, assigned)) is not None:
        help = not_annotated(argument, first)
    yield match.finding(f"`{target}` starts as {a(first)} and cannot be set to {shown}", help=help, fix=fix)


def _optional(match: Match[AttributeRetyped], name: str, type_: Type) -> Fix | None:
    unit, tree = match.event.unit, match.file.tree
    body = unit.function.owner if unit is not None else None
    whole = type_ if isinstance(type_, (OptionalType, UnionType)) else OptionalType(type_)
    written = spelled(match, whole)
    if written is None or not isinstance(body, Class):
        return None
    if unit is not None and unit.role == "script class":
        return _in_constructor(match, body, name, written)
    possible = can_annotate(tree, body, match.event.annotated)
    # If the class annotates it already, the annotations of a subclass hide that.
    if possible is None or name in body_annotations(body.node) or contradicted(tree, name, type_):
        return None
    annotation, imports = written
    place = at_top(match, body.node, name, statement("{name}: {type}", name=name, type=annotation), body.node)
    if place is None:
        return None
    # A parameter without annotation is a Tensor if Python calls the function; otherwise its type is not known.
    inferred = isinstance(type_, TensorType) and type_.inferred
    guessed = inferred and (unit is None or unit.role != "forward")
    make = safe if possible and not guessed else partial(unsafe, risks=(Risk.REFUSES, Risk.ASSUMES)[: 1 + guessed])
    return make(
        f"Annotate `{name}: {code(annotation)}` in the class body",
        *imports,
        place,
    )


def _in_constructor(match: Match, body: Class, name: str, written: Spelled) -> Fix | None:
    """Annotate the first value in the constructor of a script class: the compiler uses the type of this value, and
    ignores annotations of the attribute.
    """
    made = initial_value(match.file.tree, body, name)
    first = match.libcst(made.value) if made is not None else None
    if first is None or not m.matches(first, LITERAL):
        return None
    type_, imports = written
    torch, more = match.imported("torch")
    annotated = expression("{torch}.jit.annotate({type}, None)", torch=torch, type=type_)
    message = f"Begin with `torch.jit.annotate({code(type_)}, None)`"
    return safe(message, *imports, *more, lambda: match.replace(first, annotated))
