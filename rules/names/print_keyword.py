"""# Keyword argument of `print`

## What it does

Finds `print(..., sep=…, end=…, file=…, flush=…)` in compiled code.

## Why TorchScript rejects it

TorchScript's `print` writes its arguments to the standard output, with a blank between them and a line end after
them, and knows nothing else.

```text
print doesn't accept any keyword arguments
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("rows", x.shape[0], flush=True)
        return x


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("rows", x.shape[0])
        return x


inputs = (torch.rand(3),)
```

## Fix safety

Leaving the keyword out is *unsafe*: what is printed, or where, may change.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Edit
from tslint.rule import Finding, Rule, unsafe
from tslint.rules.names._common import place

RULE = Rule(code="TS217", name="print-keyword", events=("print-keyword",))


def check(match: Match) -> Iterator[Finding]:
    """Name the keyword; the fix leaves all of them out, since the compiler takes none."""
    call = match.event.facts["call"]
    edits = _edits(match, call)
    yield match.finding(
        f"`print` takes no `{match.event.facts['keyword']}=` in compiled code, nor any other keyword",
        help="Leave it out, or print behind `if not torch.jit.is_scripting():`.",
        fix=unsafe("Leave the keywords out", *edits) if edits else None,
    )


def _edits(match: Match, call: ast.Call) -> tuple[Edit, ...]:
    """Delete from the end of what stands before the first keyword to the end of the last one."""
    if any(arg.lineno > call.keywords[0].value.lineno for arg in call.args) or isinstance(call.args[-1:], ast.Starred):
        return ()
    last = call.keywords[-1].value
    if call.args:
        if place(match, call.args[-1])[1] > place(match, call.keywords[0].value)[0]:
            return ()
        start = place(match, call.args[-1])[1]
    else:
        start = place(match, call.keywords[0])[0]
    between = match.source.slice(start, place(match, call.keywords[0].value)[0])
    if "#" in between or "(" in between or ")" in between:
        return ()
    return (Edit(start, place(match, last)[1], ""),)
