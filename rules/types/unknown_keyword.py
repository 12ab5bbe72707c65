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

`axis=` → `dim=` and `keepdims=` → `keepdim=` are *safe* for operators: they are two names of one argument. So is
leaving out `requires_grad=False`, `as_tuple=False`, `only_inputs=True` and `out=None`, the defaults, where Python knows
them, and passing `split_size_or_sections` by position. `.unbind(1)` for `as_tuple=True` is for compiled code alone, and
*unsafe*: of a tensor without dimensions it is empty. Where the keyword belongs to a decorator of this file that the
compiler looks through, what the decorator makes is written out as a function: *unsafe*, since the function loses its
`__wrapped__`. Other keywords have no fix.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.inline_decorator import written_out
from tslint.rewrite.mismatch import Diagnosis, diagnose
from tslint.rewrite.scripted_form import either_fix
from tslint.rewrite.type_wording import place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.operators.callables import Operator, python_callable
from tslint.script.operators.tables import schemas
from tslint.suggest import nearest

RULE = Rule(code="TS304", name="unknown-keyword", events=("operator-mismatch", "call-mismatch"))
_SAME = {"axis": "dim", "keepdims": "keepdim"}
# Options that torch has in Python only, and what they are where they are left out.
_DEFAULTS = {"requires_grad": False, "as_tuple": False, "only_inputs": True, "out": None}
_FACTORIES = frozenset(
    "zeros ones empty full rand randn randint randperm arange range linspace logspace eye tensor zeros_like ones_like"
    " empty_like full_like rand_like randn_like randint_like normal".split()
)
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
        fix=(_fix(match, found, where, instead) if where is not None else None) or written_out(match),
    )


def _fix(match: Match, found: Diagnosis, keyword: ast.keyword, instead: str | None) -> Fix | None:
    start, end = place(match, keyword)
    offset = match.source.offset(start)
    operator = str(match.event.facts.get("operator", ""))
    builtin = operator.startswith("aten::") or isinstance(python_callable(operator), Operator)
    if keyword.arg in ("axis", "keepdims") and instead == _SAME[keyword.arg]:
        if not builtin:
            return None  # Python functions do not know the other name
        name = Edit(start, match.source.position(offset + len(keyword.arg)), instead)
        return safe(f"Write `{instead}=`", name)
    text = match.source.text
    node = match.event.node
    if keyword.arg == "split_size_or_sections" and isinstance(node, ast.Call):
        if len(node.args) == 1 and node.keywords[0] is keyword:
            value, _ = place(match, keyword.value)
            return safe("Pass it by position", Edit(start, value, ""))
    option = keyword.arg or ""
    callee = operator.rpartition(".")[2].rpartition("::")[2]
    if (
        option not in _DEFAULTS
        or not _knows(option, callee, builtin)
        or not isinstance(keyword.value, ast.Constant)
        or not isinstance(node, ast.Call)
    ):
        return None
    before = text[:offset].rstrip()
    after = re.compile(r"\s*,\s*").match(text, match.source.offset(end))
    if keyword.value.value is _DEFAULTS[option]:
        if before.endswith(","):
            comma = match.source.position(len(before) - 1)
            return safe(f"Leave `{option}={_DEFAULTS[option]}` out", Edit(comma, end, ""))
        if before.endswith("("):
            stop = match.source.position(after.end()) if after else end
            return safe(f"Leave `{option}={_DEFAULTS[option]}` out", Edit(start, stop, ""))
    if option == "as_tuple" and keyword.value.value is True and len(node.keywords) == 1 and len(node.args) < 2:
        low = match.source.offset(place(match, node)[0])
        whole = match.text(node)
        cut = (len(before) - 1 if before.endswith(",") else offset) - low
        new = f"{whole[:cut]}{whole[match.source.offset(end) - low :]}.unbind(1)"
        # A tensor without dimensions has none there, and one in Python.
        return either_fix(match, node, new, "Write `.unbind(1)` in compiled code", Risk.DIFFERS)
    return None


def _knows(option: str, name: str, builtin: bool) -> bool:
    """Whether Python takes an option there: elsewhere it raises."""
    if option == "requires_grad":
        return builtin and (name in _FACTORIES or name.startswith("new_"))
    if option == "out":
        return builtin and any(each.argument("out") is not None for each in schemas(f"aten::{name}"))
    return name == {"as_tuple": "nonzero", "only_inputs": "grad"}[option]
