"""# Keyword argument of `print`

## What it does

Finds `print(..., sep=…, end=…, file=…, flush=…)` in compiled code.

## Why TorchScript rejects it

TorchScript's `print` writes its arguments to the standard output, with spaces between them and a newline at the end. It
has no options.

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

Compiled code prints without the keywords, and Python prints with them as before. This is *unsafe*, because the output
differs.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.compiled_statements import twice
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.names import PrintKeyword

RULE = Rule(code="TS217", name="print-keyword", events=(PrintKeyword,))


def check(match: Match[PrintKeyword]) -> Iterator[Finding]:
    """Report the keyword, with a fix that removes all keywords in compiled code."""
    call = match.libcst(match.event.call)
    yield match.finding(
        f"`print` does not accept `{match.event.keyword}=` in compiled code",
        help=f"Remove `{match.event.keyword}=`, or print under `if not torch.jit.is_scripting():`.",
        fix=_plain(match, call) if isinstance(call, cst.Call) else None,
    )


def _plain(match: Match, call: cst.Call) -> Fix | None:
    printed = [each for each in call.args if each.keyword is None]
    if any(each.star for each in printed):
        return None
    if printed:
        printed[-1] = printed[-1].with_changes(comma=call.args[-1].comma)
    return twice(match, call, call.with_changes(args=printed), "Remove the keywords in compiled code")
