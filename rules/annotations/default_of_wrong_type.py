"""# Default of another type than the annotation

## What it does

Finds parameters whose default does not match their annotation, such as `size: int = None`, in code that
`torch.jit.script` compiles.

## Why TorchScript rejects it

`int` does not include `None`: a value that may be `None` is an `Optional[int]`.

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

If the default is `None`, the fix puts `Optional[...]` around the annotation. This is *safe*, because Python ignores
annotations, but *unsafe* in two cases. If the function calls `len` on the parameter without a test for `None`, `len`
returns 1 in TorchScript. If the annotation is `int` and a call passes the result of `.item()`, TorchScript drops the
fraction.

If the default has another type, the fix replaces the annotation by this type, unless the annotation is `Tensor`, or
calls or the body contradict the default. This is *unsafe*: perhaps the default is wrong, and not the annotation.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.annotate import annotation_of, from_def, spelled
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import code, expression
from tslint.script.dataflow.inferred_parameters import fraction_given, inferred
from tslint.script.dataflow.parameters import counted_with_none
from tslint.script.events.annotation import DefaultOfWrongType
from tslint.script.types import INT, NONE, TENSOR

RULE = Rule(code="TS502", name="default-of-wrong-type", events=(DefaultOfWrongType,))


def check(match: Match[DefaultOfWrongType]) -> Iterator[Finding]:
    """Report the parameter, with a fix that annotates it so that the default is allowed."""
    event = match.event
    name, default = event.name, match.code(match.libcst(event.default))
    annotation = annotation_of(match.libcst(event.argument))
    written = match.code(annotation) if annotation is not None else ""
    suggested = spelled(match, event.suggestion)
    instead = f"as `{code(suggested[0])}`" if suggested is not None else "with the type of the default"
    help = f"Give `{name}` a default of type {event.expected}, or annotate it {instead}."
    fix = None
    if event.actual == NONE:
        optional, _ = match.imported("typing", "Optional")
        help = f"Annotate it as `{optional}[{written or event.expected}]`, which allows None."
        if annotation is not None and "\n" not in written:
            fix = _optional(match, name, annotation)
    elif annotation is not None:
        fix = _default_type(match, name, annotation)
    kind = "" if default == "None" else f", which is of type {event.actual}"
    declared = f"`{name}: {written}`" if written else f"`{name}` is {event.expected} in the type comment and"
    yield from_def(
        match,
        event.default,
        f"{declared} cannot have the default `{default}`{kind}",
        help,
        fix,
        commented=event.argument.annotation is None,
    )


def _optional(match: Match[DefaultOfWrongType], name: str, annotation: cst.BaseExpression) -> Fix:
    """Put ``Optional[...]`` around the annotation."""
    optional, imports = match.imported("typing", "Optional")
    new = expression("{optional}[{annotation}]", optional=optional, annotation=annotation)
    message, unit = f"Annotate `{name}: {code(new)}`", match.event.unit

    def edits() -> tuple[Edit, ...]:
        return match.replace(annotation, new)

    function = unit.function.node if unit is not None else None
    rounded = match.event.expected == INT and function is not None and fraction_given(match.file.tree, function, name)
    if rounded or (function is not None and counted_with_none(function, name)):
        return unsafe(message, *imports, edits, risks=(Risk.DIFFERS,))
    return safe(message, *imports, edits)


def _default_type(match: Match[DefaultOfWrongType], name: str, annotation: cst.BaseExpression) -> Fix | None:
    """Annotate the default's type, if nothing contradicts it."""
    event, unit = match.event, match.event.unit
    written = spelled(match, event.suggestion)
    if written is None or unit is None or event.expected == TENSOR:
        return None
    found = inferred(match.file.tree, unit.function.node, name, {id(event.default): event.suggestion})
    if found is None or found.type != event.suggestion:
        return None  # callers, or the function's uses of the parameter, contradict the default's type
    new, imports = written
    message, risks = f"Annotate `{name}: {code(new)}`", (Risk.REFUSES, Risk.DIFFERS)
    assumes = "the default may be wrong, and not the annotation"
    return unsafe(message, *imports, lambda: match.replace(annotation, new), risks=risks, assumes=assumes)
