"""# `try` block in compiled code

## What it does

Finds `try` blocks in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

TorchScript has no exception handling: a raised exception always leaves the model. The front end reads the whole
function first, so a `try` under `if not torch.jit.is_scripting():` is rejected, too.

```text
try blocks aren't supported
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        try:
            return x.view(2, -1)
        except RuntimeError:
            return x
```

## Use instead

Replace the `try` by an `if` that tests what may fail:

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.numel() % 2 == 0:
            return x.view(2, -1)
        return x


inputs = (torch.rand(4),)
```

If there is no such condition, move the block into a function of its own. Mark the function `@torch.jit.unused` (the
compiled model raises when it calls it) or `@torch.jit.ignore` (Python runs it, and the model cannot be saved).

## Fix safety

No fix if a handler does more than raise, or if the `try` has an `else` or a `finally`: only the author knows what may
fail, and what to test instead.

If all handlers only raise another exception, the fix removes the `try` and keeps its body. This is *unsafe*, because
Python then raises the original exception. There is no fix if other code in the file catches the exception that the
handlers raise.

If all handlers only re-raise the exception, with a `raise` alone, this fix is *safe*. It is *unsafe* if a handler reads
the exception type from a value of the function, as in `except self.error:`, because reading it may raise.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.loops import lines_of
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.script.dataflow.caught import is_caught_elsewhere
from tslint.script.events.syntax import TryBlock

RULE = Rule(code="TS101", name="try-block", events=(TryBlock,))
_RAISES = m.IndentedBlock([m.SimpleStatementLine([m.Raise()])])
_RAISES_AGAIN = m.IndentedBlock([m.SimpleStatementLine([m.Raise(exc=None)])])


def check(match: Match[TryBlock]) -> Iterator[Finding]:
    """Report the statement at its keyword, with a fix that removes it if its handlers only raise."""
    yield match.finding(
        "`try` cannot be compiled: TorchScript has no exception handling",
        help="Replace the `try` by an `if` that tests what may fail. Or move the block into a function marked "
        "`@torch.jit.ignore`, which Python runs: the compiled module then cannot be saved.",
        keyword="try",
        fix=_without_handlers(match),
    )


def _without_handlers(match: Match[TryBlock]) -> Fix | None:
    block = match.node
    if (
        not isinstance(block, cst.Try)
        or block.orelse
        or block.finalbody
        or not isinstance(block.body, cst.IndentedBlock)
    ):
        return None
    lines = lines_of(block.body)
    if all(m.matches(each.body, _RAISES_AGAIN) for each in block.handlers):
        message = "Remove the `try`, whose handlers only re-raise"
        if any(each.type is not None and _may_fail(match, each.type) for each in block.handlers):
            # Python reads the types only when the body raises, and may find no such attribute.
            return unsafe(message, lambda: match.rewrite(block, *lines), risks=(Risk.EXCEPTION,))
        return safe(message, lambda: match.rewrite(block, *lines))
    if is_caught_elsewhere(match.file.tree, match.model(block)):
        return None
    if all(m.matches(each.body, _RAISES) for each in block.handlers):
        message = "Remove the `try`, whose handlers only raise another exception"
        return unsafe(message, lambda: match.rewrite(block, *lines), risks=(Risk.EXCEPTION,))
    return None


def _may_fail(match: Match, types: cst.BaseExpression) -> bool:
    """Return whether the types of a handler are read from values of the function: ``self.error``, ``kinds()``."""
    names = [each for each in m.findall(types, m.Name()) if isinstance(each, cst.Name)]
    return bool(m.findall(types, m.Call())) or any(match.binds(each.value) for each in names)
