"""# Attribute that is assigned a value of another type

## What it does

Finds `self.x = value` in code that `torch.jit.script` compiles where `value` is of another type than `__init__` left in
the attribute, such as a Tensor where it is `None`.

## Why TorchScript rejects it

An attribute's type is fixed when the module is built: by an annotation in the class body, or else by its value.

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

For an attribute that `__init__` leaves `None` the fix annotates it in the class body; that is *safe*: Python does
nothing with it. It is *unsafe* where a base class has annotations in its body and this class has none: only the
annotations of the nearest class that has any count; and where what is stored is a parameter without annotation of
another method than `forward`, which need not be a tensor. Of a script class the compiler reads no such annotations:
there the attribute begins as `torch.jit.annotate(Optional[…], None)`, which is *safe*, too. Between other types there
is no fix.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from tslint.diagnostics import Edit, Fix, Risk
from tslint.project.definitions import Class
from tslint.rewrite.annotate import merged, spelled_text
from tslint.rewrite.class_annotations import IMPORT, body_top, can_annotate, initial_value, strings
from tslint.rewrite.flags import body_annotations
from tslint.rewrite.loop_parts import replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.script.dataflow.bool_attributes import file_facts

RULE = Rule(code="TS410", name="retyped-attribute", events=("attribute-retyped",))


def check(match: Match) -> Iterator[Finding]:
    """Annotate an attribute that begins as None."""
    facts, node = match.event.facts, match.event.node
    target = match.text(facts["target"])
    expected, actual = facts["expected"], facts["actual"].replace(" (inferred)", "")
    value = match.text(node.value) if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value else actual
    shown = (
        f"`{value}`, of type {actual}," if value != actual and len(value) < 40 and "\n" not in value else f"a {actual}"
    )
    help, fix = f"Give it a value of type {expected}, or annotate `{facts['attribute']}` in the class body.", None
    if expected == "NoneType":
        fix = _optional(match, facts["attribute"], actual)
        help = f"Annotate it in the class body: `{facts['attribute']}: Optional[{actual}]`."
        if strings(match):
            help += (
                f" Without `{IMPORT}`: that turns the annotation into a string, which TorchScript cannot read there."
            )
    elif actual in ("number", "Tensor") and expected in ("int", "float", "bool"):
        help = f"Convert it: `{target} = {expected}({value if value != actual else '...'})`."
    elif (expected, actual) == ("int", "float"):
        help = f"Begin with a float: `{target} = 0.0` in `__init__`."
    held = "None" if expected == "NoneType" else f"of type {expected}"
    yield match.finding(
        f"`{target}` is {held} when the module is built, and cannot become {shown.rstrip(',')}",
        help=help,
        fix=fix,
    )


def _optional(match: Match, name: str, type_: str) -> Fix | None:
    unit = match.event.unit
    body = unit.function.owner if unit is not None else None
    possible = can_annotate(match, body, match.event.facts["annotated"])
    written = spelled_text(match, type_ if type_.startswith(("Optional[", "Union[")) else f"Optional[{type_}]")
    if written is None or not isinstance(body, Class):
        return None
    if unit is not None and unit.role == "script class":
        return _in_constructor(match, body, name, *written)
    if possible is None:
        return None
    if name in body_annotations(body.node):
        return None  # hidden by the annotations of a derived class
    top = body_top(match, body)
    if top is None:
        return None
    newline = match.source.newline
    first = match.source.lines[top[0].row - 1].lstrip()
    blank = newline if first.startswith(("def ", "@", "async ")) else ""
    edit = match.insert(top[0], f"{top[1]}{name}: {written[0]}{newline}{blank}")
    if _contradicted(match, name, type_):
        return None
    # A parameter without annotation is a Tensor in what is called from Python; elsewhere nobody knows what it is.
    guessed = "(inferred)" in match.event.facts["actual"] and (unit is None or unit.role != "forward")
    make = safe if possible and not guessed else partial(unsafe, risks=(Risk.REFUSES, Risk.ASSUMES)[: 1 + guessed])
    return make(f"Annotate `{name}: {written[0]}` in the class body", *merged(*written[1], edit))


def _contradicted(match: Match, name: str, type_: str) -> bool:
    """Whether the file stores something else, too."""
    for store in file_facts(match.file.tree).stores.get(name, ()):
        if isinstance(store.value, ast.Constant) and store.value.value is not None:
            if type(store.value.value).__name__ not in type_.replace("Optional[", " ").replace("]", " ").split():
                return True
        made = {ast.List: "List[", ast.ListComp: "List[", ast.Dict: "Dict[", ast.DictComp: "Dict[", ast.Tuple: "Tuple["}
        if type(store.value) in made and made[type(store.value)] not in type_:
            return True
    return False


def _in_constructor(match: Match, body: Class, name: str, type_: str, imports: tuple[Edit, ...]) -> Fix | None:
    """The compiler reads no annotations of the attributes of a script class, but the type of their first value."""
    first = initial_value(match, body, name)
    if first is None or not isinstance(first.value, ast.Constant) or len(first.targets) != 1:
        return None
    torch, more = match.imported("torch")
    edit = replace(match, first.value, f"{torch}.jit.annotate({type_}, None)")
    return safe(f"Begin with `torch.jit.annotate({type_}, None)`", *merged(*imports, *more, edit))
