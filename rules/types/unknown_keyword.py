"""# Keyword that the function does not have in TorchScript

## What it does

Finds keyword arguments that none of a function's forms has in TorchScript, above all NumPy's spellings `axis=` and
`keepdims=`, which torch accepts in eager mode only.

## Why TorchScript rejects it

Eager mode translates NumPy's names in its Python binding. The compiler works on the operators themselves, which have
`dim` and `keepdim`.

```text
Arguments for call are not valid.
Keyword argument axis unknown.
```

## Example

```python
import torch


def total(x: torch.Tensor) -> torch.Tensor:
    return x.sum(axis=1)


scripted = torch.jit.script(total)
inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch


def total(x: torch.Tensor) -> torch.Tensor:
    return x.sum(dim=1)


scripted = torch.jit.script(total)
inputs = (torch.rand(2, 3),)
```

## Fix safety

`axis=` → `dim=` and `keepdims=` → `keepdim=` are *safe*: they are two names of one argument. So is leaving out
`requires_grad=False`, `as_tuple=False` and `only_inputs=True`, the defaults, and passing `split_size_or_sections` by
position. Other keywords have no fix.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Edit, Fix
from tslint.rule import Finding, Rule, safe
from tslint.rules.types._common import place
from tslint.rules.types._mismatch import Diagnosis, diagnose
from tslint.suggest import nearest

RULE = Rule(code="TS304", name="unknown-keyword", events=("operator-mismatch", "call-mismatch"))
_SAME = {"axis": "dim", "keepdims": "keepdim"}
# Options that torch has in Python only, and what they are where they are left out.
_DEFAULTS = {"requires_grad": False, "as_tuple": False, "only_inputs": True}
_ADVICE = {
    "requires_grad": "Leave it out, and call `.requires_grad_()` on the result where it was True.",
    "as_tuple": "Leave it out; for `as_tuple=True` write `.nonzero().unbind(1)`.",
    "only_inputs": "Leave it out.",
    "split_size_or_sections": "Pass it by position.",
}


def check(match: Match) -> Iterator[Finding]:
    """Suggest the name that the operator has."""
    found = diagnose(match)
    if found.what != "keyword":
        return
    keyword = found.parameter
    known = list(dict.fromkeys(parameter.name for reason in found.reasons for parameter in reason.parameters))
    instead = _SAME.get(keyword)
    if instead not in known:
        instead = None if keyword in _ADVICE else nearest(keyword, known)
    if instead is not None:
        help = f"Its name there is `{instead}`." if keyword in _SAME else f"Did you mean `{instead}`?"
    elif keyword in _ADVICE:
        help = _ADVICE[keyword]
    else:
        shown = ", ".join(f"`{name}`" for name in known if name not in ("self", "out"))
        help = f"It takes {shown}." if shown else "It takes no keywords."
    node = match.event.node
    where = next((k for k in node.keywords if k.arg == keyword), None) if isinstance(node, ast.Call) else None
    yield match.finding(
        f"{found.callee} has no argument `{keyword}` in TorchScript",
        help=help,
        fix=_fix(match, found, where, instead) if where is not None else None,
    )


def _fix(match: Match, found: Diagnosis, keyword: ast.keyword, instead: str | None) -> Fix | None:
    start, end = place(match, keyword)
    offset = match.source.offset(start)
    if keyword.arg in ("axis", "keepdims") and instead == _SAME[keyword.arg]:
        name = Edit(start, match.source.position(offset + len(keyword.arg)), instead)
        return safe(f"Write `{instead}=`", name)
    text = match.source.text
    node = match.event.node
    if keyword.arg == "split_size_or_sections" and isinstance(node, ast.Call):
        if len(node.args) == 1 and node.keywords[0] is keyword:
            value, _ = place(match, keyword.value)
            return safe("Pass it by position", Edit(start, value, ""))
    default = _DEFAULTS.get(keyword.arg or "")
    if default is not None and isinstance(keyword.value, ast.Constant) and keyword.value.value is default:
        before = text[:offset].rstrip()
        if before.endswith(","):
            return safe(f"Leave `{keyword.arg}={default}` out", Edit(match.source.position(len(before) - 1), end, ""))
    return None
