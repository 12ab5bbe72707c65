"""# `unique_consecutive` as a method

## What it does

Finds `x.unique_consecutive()`. The function `torch.unique_consecutive(x)` is not affected.

## What goes wrong

TorchScript accepts it, but the method always returns three Tensors: the values, the inverse indices and the counts. In
Python, it returns the values, and the others only if they are requested. The example returns 2 in Python, and this in
TorchScript:

```text
3
```

## Example

```python
import torch


def count(x: torch.Tensor):
    return len(x.unique_consecutive())


scripted = torch.jit.script(count)
inputs = (torch.tensor([1, 1, 2]),)
```

## Use instead

```python
import torch


def count(x: torch.Tensor):
    return len(torch.unique_consecutive(x))


scripted = torch.jit.script(count)
inputs = (torch.tensor([1, 1, 2]),)
```

## Fix safety

The fix calls the function, which does the same in Python. This is *unsafe*: if `x` is not a tensor, Python raises
another exception.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk, Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, unsafe
from tslint.rulekit.template import expression
from tslint.rulekit.wording import short
from tslint.script.events.hazards import UniqueConsecutiveMethod

RULE = Rule(
    code="TS628",
    name="unique-consecutive-method",
    events=(UniqueConsecutiveMethod,),
    severity=Severity.WARNING,
)


def check(match: Match[UniqueConsecutiveMethod]) -> Iterator[Finding]:
    """Report the call, with a fix that calls the function."""
    func = match.node.func if isinstance(match.node, cst.Call) else None
    owner = match.code(func.value) if isinstance(func, cst.Attribute) else "x"
    rest = ", …" if isinstance(match.node, cst.Call) and match.node.args else ""
    yield match.finding(
        f"{match.event_text} returns three Tensors in TorchScript, but not in Python",
        help=f"Write {short(f'torch.unique_consecutive({owner}{rest})')}.",
        fix=_fix(match, match.node),
    )


def _fix(match: Match, node: cst.CSTNode) -> Fix | None:
    torch, imports = match.imported("torch")
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or match.binds(torch):
        return None
    owner = cst.Arg(node.func.value, comma=cst.MaybeSentinel.DEFAULT)
    function = expression("{torch}.unique_consecutive", torch=torch)
    call = node.with_changes(func=function, args=[owner, *node.args])
    message, risks = "Call `torch.unique_consecutive`", (Risk.EXCEPTION,)
    return unsafe(message, lambda: match.replace(node, call), *imports, risks=risks)
