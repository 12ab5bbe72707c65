"""# Conversion or format in an f-string of compiled code

## What it does

Finds `!r`, `!s`, `!a`, `=` and format specifications (`:.2f`) inside f-strings in code that `torch.jit.script`
compiles.

## Why TorchScript rejects it

An f-string becomes `"{}".format(…)`, whose compiled form knows empty braces only.

```text
Don't support conversion in JoinedStr
Don't support formatting in JoinedStr
```

## Example

```python
import torch


def describe(x: torch.Tensor, scale: int) -> str:
    return f"scaled by {scale:d}, {x.dim()} dimensions"


scripted = torch.jit.script(describe)
inputs = (torch.rand(2, 3), 4)
```

## Use instead

```python
import torch


def describe(x: torch.Tensor, scale: int) -> str:
    return f"scaled by {scale}, {x.dim()} dimensions"


scripted = torch.jit.script(describe)
inputs = (torch.rand(2, 3), 4)
```

Round numbers before they are written, or write them outside compiled code. Beware of `"{:.2f}".format(x)`: it
compiles, and the braces stay in the text.

## Fix safety

Dropping the conversion or format is *unsafe*: the text may change.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tslint.border import Match
from tslint.diagnostics import Fix
from tslint.rule import Finding, Rule, unsafe

if TYPE_CHECKING:
    import libcst as cst

RULE = Rule(code="TS114", name="f-string-format", events=("f-string-conversion", "f-string-format"))


def check(match: Match) -> Iterator[Finding]:
    """Drop what stands after the value, inside the braces."""
    part = _part(match)
    where = f"`{match.code(part)}`" if part is not None else "this value"
    what = "a conversion" if match.event.kind == "f-string-conversion" else "a format"
    # The compiler underlines the string's beginning before Python 3.12, the braces since.
    same_row = part is not None and match.range(part)[0].row == match.event.span.row
    yield match.finding(
        f"{where} has {what}: compiled f-strings know plain `{{…}}` only",
        help="Drop it, or write the text outside compiled code.",
        fix=_plain(match, part) if part is not None else None,
        at=part if same_row else None,
    )


def _part(match: Match) -> cst.FormattedStringExpression | None:
    """The braces in the author's text: libcst knows where they stand, ``ast`` only since Python 3.12."""
    string = match.event.facts["string"]
    values = [value for value in string.values if isinstance(value, ast.FormattedValue)]
    index = next(index for index, value in enumerate(values) if value is match.event.facts["value"])
    import libcst as cst

    found: list[cst.FormattedStringExpression] = []
    pending: list[cst.CSTNode] = [match.find(string)]
    while pending:
        node = pending.pop()
        if isinstance(node, cst.FormattedStringExpression):
            found.append(node)
        elif isinstance(node, (cst.ConcatenatedString, cst.FormattedString)):
            pending += reversed(node.children)
    return found[index] if len(found) == len(values) else None


def _plain(match: Match, part: cst.FormattedStringExpression) -> Fix:
    value = match.code(part.expression)
    space = match.code(part.whitespace_before_expression)
    text = f"{{{space}{value}}}"
    if part.equal is not None:
        text = f"{space}{value}{match.code(part.equal)}{text}"
    return unsafe("Drop the conversion and the format", match.replace(part, text))
