"""# No form of the function takes these arguments

## What it does

Finds calls of functions that have several forms (overloads) where none takes the arguments that are given, each for a
reason of its own. It names the forms that come nearest.

## Why TorchScript rejects it

In Python a function of torch looks at its arguments when it runs, fills in what is missing and accepts old spellings.
The compiler has a fixed list of forms, and takes a call only if one of them fits exactly.

```text
Arguments for call are not valid.
The following variants are available:
```

## Example

```python
import torch


def length(x: torch.Tensor) -> torch.Tensor:
    return x.norm(dim=1)


scripted = torch.jit.script(length)
inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch


def length(x: torch.Tensor) -> torch.Tensor:
    return x.norm(p=2, dim=1)


scripted = torch.jit.script(length)
inputs = (torch.rand(2, 3),)
```

## Fix safety

`x.norm(dim=…)` gets `p=2`, which is *safe*: it is what eager mode computes there. Other calls have no fix, since only
you know which form was meant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Fix
from tslint.rewrite.mismatch import Diagnosis, Reason, diagnose
from tslint.rewrite.type_wording import place, said
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS302", name="no-matching-overload", events=("operator-mismatch", "call-mismatch"))


def check(match: Match) -> Iterator[Finding]:
    """List the forms that come nearest, with what is in the way."""
    found = diagnose(match)
    if found.what != "overload":
        return
    types = [said(type_) if type_ != "?" else "…" for type_ in match.event.facts["types"]]
    nearest = "; ".join(dict.fromkeys(f"`{_form(reason)}`: {_why(reason)}" for reason in found.reasons[:3]))
    yield match.finding(
        f"no form of {found.callee} takes ({', '.join(types)})",
        help=f"The nearest forms: {nearest}." if nearest else None,
        fix=_norm(match, found),
    )


def _form(reason: Reason) -> str:
    shown, star = [], False
    for parameter in reason.parameters:
        if parameter.keyword_only and not star:
            star = True
            shown.append("*")
        shown.append(parameter.name if parameter.required else f"{parameter.name}=…")
    name = reason.schema.partition("(")[0].partition("::")[2] or reason.schema.partition("(")[0]
    return f"{name.partition('.')[0]}({', '.join(shown)})"


def _why(reason: Reason) -> str:
    if reason.what == "type":
        return f"`{reason.parameter}` is {said(reason.expected)}, not {said(reason.actual)}"
    if reason.what == "missing":
        return f"needs `{reason.parameter}`"
    if reason.what == "keyword":
        return f"has no `{reason.parameter}`"
    if reason.what == "count":
        return f"takes {reason.expected} argument{'' if reason.expected == '1' else 's'}"
    return "does not fit"


def _norm(match: Match, found: Diagnosis) -> Fix | None:
    node = match.event.node
    if not isinstance(node, ast.Call) or match.event.facts.get("operator") not in ("aten::norm", "torch.norm"):
        return None
    names = {keyword.arg for keyword in node.keywords}
    others = 0 if _is_method(match) else 1
    if not node.keywords or not names <= {"dim", "keepdim"} or len(node.args) != others:
        return None
    for keyword in node.keywords:
        value = keyword.value
        listed = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
        if keyword.arg == "dim" and (len(listed) > 2 or not all(_is_number(each) for each in listed)):
            return None  # of more than two dimensions Python has no such norm
    start, _ = place(match, node.keywords[0])
    return safe("Say `p=2`", match.insert(start, "p=2, "))


def _is_number(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def _is_method(match: Match) -> bool:
    return str(match.event.facts.get("operator", "")).startswith("aten::")
