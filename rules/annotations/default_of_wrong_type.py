"""# Default of another type than the annotation

## What it does

Finds parameters whose default does not fit their annotation, such as `size: int = None`, in code that
`torch.jit.script` compiles.

## Why TorchScript rejects it

`int` does not include `None`: what may be missing is `Optional[int]`.

```text
Expected a default value of type int on parameter "size".
```

## Example

```python
import torch


def crop(x: torch.Tensor, size: int = None) -> torch.Tensor:
    if size is not None:
        x = x[:size]
    return x


scripted = torch.jit.script(crop)
inputs = (torch.rand(3),)
```

## Use instead

```python
from typing import Optional

import torch


def crop(x: torch.Tensor, size: Optional[int] = None) -> torch.Tensor:
    if size is not None:
        x = x[:size]
    return x


scripted = torch.jit.script(crop)
inputs = (torch.rand(3),)
```

## Fix safety

`Optional[...]` around the annotation of a parameter whose default is `None` is *safe*: Python does not look at
annotations; *unsafe* where `len` of it is asked for without a test for None, as TorchScript says that this is 1. Where
the default is of another type, annotation or default may be the wrong one: the fix takes the
default's type and is *unsafe*.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.annotate import from_def, merged, replace, spelled_text
from tslint.rewrite.annotate_parameter import inferred
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.script.dataflow.parameters import counted_with_none

RULE = Rule(code="TS502", name="default-of-wrong-type", events=("default-of-wrong-type",))


def check(match: Match) -> Iterator[Finding]:
    """Make the annotation take the default."""
    facts = match.event.facts
    name, default = facts["name"], match.text(facts["default"])
    argument = facts["argument"]
    annotation = match.text(argument.annotation)
    help, fix = f"Give `{name}` a default of type {facts['expected']}, or annotate what it really is.", None
    if facts["actual"] == "NoneType":
        optional, imports = match.imported("typing", "Optional")
        if isinstance(argument.annotation, ast.expr) and "\n" not in annotation:
            edit = replace(match, argument.annotation, f"{optional}[{annotation}]")
            message, edits = f"Annotate `{name}: {optional}[{annotation}]`", merged(*imports, edit)
            unit = match.event.unit
            if unit is not None and counted_with_none(unit.function.node, name):
                fix = unsafe(message, *edits, risks=(Risk.DIFFERS,))
            else:
                fix = safe(message, *edits)
        help = f"What may be None is `{optional}[{annotation}]`."
    else:
        fix = _default_type(match, argument)
    yield from_def(
        match,
        facts["default"],
        f"`{name}: {annotation}` cannot have the default `{default}`, which is of type {facts['actual']}",
        help,
        fix,
    )


def _default_type(match: Match, argument: ast.arg) -> Fix | None:
    facts, unit = match.event.facts, match.event.unit
    written = spelled_text(match, facts["suggestion"])
    if written is None or argument.annotation is None or unit is None or facts["expected"].startswith("Tensor"):
        return None
    found = inferred(match, unit.function.node, argument.arg, {id(facts["default"]): facts["suggestion"]})
    if found is None or found.type != facts["suggestion"]:
        return None  # callers, or what the function does with it, speak against the default's type
    edit = replace(match, argument.annotation, written[0])
    message, risks = f"Annotate `{argument.arg}: {written[0]}`", (Risk.ASSUMES, Risk.REFUSES, Risk.DIFFERS)
    return unsafe(message, *merged(*written[1], edit), risks=risks)
