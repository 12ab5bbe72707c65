"""# No overload of the function takes these arguments

## What it does

Finds calls of functions with several overloads, if no overload accepts the arguments. The help names the nearest
overloads, and for each of them what does not match.

## Why TorchScript rejects it

In Python, a function of torch checks its arguments when it runs, adds missing ones and accepts old spellings. The
compiler has a fixed list of overloads, and accepts a call only if one of them fits. It converts few types: an int to a
list of ints, for example.

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

`x.norm(dim=…)` gets `p=2`, which is *safe*: eager mode computes the same. The deprecated order of arguments,
`x.addcmul(2, a, b)`, becomes `x.addcmul(a, b, value=2)`, which is *safe*, too. Other calls have no fix, because only
the author knows which overload is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.numbers_by_name import numbers_by_name
from tslint.rewrite.type_reasons import callee
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import expression
from tslint.rulekit.wording import a, said
from tslint.script.events.calls import CallMismatch, OperatorMismatch
from tslint.script.operators.reasons import Reason

RULE = Rule(code="TS302", name="no-matching-overload", events=(OperatorMismatch, CallMismatch))
_NUMBER = m.Integer() | m.Name("None") | m.UnaryOperation(expression=m.Integer())


def check(match: Match[OperatorMismatch | CallMismatch]) -> Iterator[Finding]:
    """Report the call, with the nearest overloads and what does not match."""
    found = match.event.diagnosis
    if found.what != "overload":
        return
    types = [said(type_) for type_ in match.event.types]
    if isinstance(match.node, cst.Call) and len(match.node.args) == len(types):
        named = [f"{each.keyword.value}: " if each.keyword is not None else "" for each in match.node.args]
        types = list(map("".join, zip(named, types)))
    nearest = "; ".join(dict.fromkeys(f"`{_form(reason)}` {_why(reason)}" for reason in found.reasons[:3]))
    norm = _norm(match)
    help = f"The nearest overloads: {nearest}." if nearest else None
    if norm is not None:
        help = f"{norm.message}: only Python has a default for it."
    yield match.finding(
        f"{callee(match)} cannot be called with ({', '.join(types)}) in TorchScript",
        help=help,
        fix=numbers_by_name(match) or norm,
    )


def _form(reason: Reason) -> str:
    shown, star = [], False
    for parameter in reason.schema.arguments:
        if parameter.kwarg_only and not star:
            star = True
            shown.append("*")
        shown.append(parameter.name if parameter.default is None else f"{parameter.name}=…")
    return f"{reason.name}({', '.join(shown)})"


def _why(reason: Reason) -> str:
    if reason.what == "type":
        return f"needs {a(reason.expected)} for `{reason.parameter}`, not {a(reason.actual)}"
    if reason.what == "missing":
        return f"needs `{reason.parameter}`"
    if reason.what == "keyword":
        known = any(parameter.name == reason.parameter for parameter in reason.schema.arguments)
        return f"gets `{reason.parameter}` twice" if known else f"has no `{reason.parameter}`"
    if reason.what == "count":
        return f"takes {reason.most} argument{'' if reason.most == 1 else 's'}"
    return "does not accept these types"


def _norm(match: Match) -> Fix | None:
    """Write ``x.norm(dim=1)`` as ``x.norm(p=2, dim=1)``; None for other calls."""
    node, operator = match.node, match.event.operator if isinstance(match.event, OperatorMismatch) else None
    if not isinstance(node, cst.Call) or operator not in ("aten::norm", "torch.norm"):
        return None
    others = [each for each in node.args if each.keyword is None]
    named = {each.keyword.value: each.value for each in node.args if each.keyword is not None}
    if not named or not named.keys() <= {"dim", "keepdim"} or len(others) != (0 if operator == "aten::norm" else 1):
        return None
    dim = named.get("dim")
    listed = [each.value for each in dim.elements] if isinstance(dim, (cst.Tuple, cst.List)) else [dim]
    if dim is not None and (len(listed) > 2 or not all(m.matches(each, _NUMBER) for each in listed if each)):
        return None  # Python's norm accepts at most two dimensions

    def called() -> cst.Call:
        made = expression("norm(p=2, _=0)")
        assert isinstance(made, cst.Call)
        return node.with_changes(args=[*others, made.args[0], *node.args[len(others) :]])

    return safe("Add the argument `p=2`", lambda: match.replace(node, called()))
