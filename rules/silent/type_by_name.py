"""# Tensor type as a name

## What it does

Finds `x.type("torch.FloatTensor")` and `x.type()` in compiled code.

## What goes wrong

TorchScript accepts it, but reads the name as a device, `x.to("torch.FloatTensor")`, and raises when it runs.

```text
RuntimeError: Invalid device string: 'torch.FloatTensor'
```

Without an argument, `x.type()` is the name of the type in Python, and the tensor itself in TorchScript: `x.type() ==
y.type()` compares the elements of the two tensors in TorchScript.

## Example

```python
import torch


def as_float(x: torch.Tensor):
    return x.type("torch.FloatTensor")


scripted = torch.jit.script(as_float)
inputs = (torch.ones(2),)
```

## Use instead

```python
import torch


def as_float(x: torch.Tensor):
    return x.to("cpu", torch.float32)


scripted = torch.jit.script(as_float)
inputs = (torch.ones(2),)
```

## Fix safety

The fix writes the device and the dtype that the name stands for, which is *safe*. Some names have no fix, such as those
of CUDA types: `to("cuda")` could move a tensor from one GPU to another, which `type` does not.

`x.type() == y.type()` becomes `x.dtype == y.dtype and x.device.type == y.device.type and x.layout == y.layout`: the
name consists of these three. This is *unsafe*, because `type()` raises for a layout that has no name.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Severity
from tslint.rewrite.type_casts import to_device_and_dtype
from tslint.rewrite.type_names import compared_parts, comparison_of
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import TypeAsked, TypeByName

RULE = Rule(code="TS615", name="type-by-name", events=(TypeByName, TypeAsked))
_TYPE = m.Call(func=m.Attribute(attr=m.Name("type")))
_TEXT = m.SimpleString()
_WITH_TEXT = m.Comparison(left=_TEXT) | m.Comparison(comparisons=[m.ComparisonTarget(comparator=_TEXT)])


def check(match: Match[TypeByName | TypeAsked]) -> Iterator[Finding]:
    """Report a name of a type, which the compiler reads as a device, or ``x.type()``, which returns no name there."""
    if isinstance(match.event, TypeAsked):
        yield from _asked(match)
        return
    yield match.finding(
        f"{match.event_text} raises when it runs: TorchScript reads the name as a device",
        help=f"Write `{_tensor(match)}.to(device, dtype)`.",
        fix=to_device_and_dtype(match, match.node, match.event.name),
    )


def _tensor(match: Match) -> str:
    """Return the tensor whose type is read or set, if it is a variable, an attribute or an item; otherwise ``x``."""
    value = match.node.func.value if m.matches(match.node, _TYPE) else None  # type: ignore[attr-defined]
    return match.code(value) if isinstance(value, (cst.Name, cst.Attribute, cst.Subscript)) else "x"


def _instead(match: Match) -> str:
    """Return what to write instead: ``y.type_as(x)`` for ``y.type(x.type())``."""
    around = match.enclosing(cst.Call, match.parent(match.node))
    if around is not None and m.matches(match.node, _TYPE) and m.matches(around, _TYPE):
        taker, giver = (match.code(each.func.value) for each in (around, match.node))  # type: ignore[attr-defined]
        return f"Write `{taker}.type_as({giver})`."
    x = _tensor(match)
    return f"Use `{x}.dtype`, `{x}.device` or `.type_as({x})`."


def _asked(match: Match) -> Iterator[Finding]:
    comparison = comparison_of(match, match.node)
    if comparison is None:
        message = f"{match.event_text} is the tensor itself in TorchScript, and the name of its type in Python"
        yield match.finding(message, help=_instead(match), severity=Severity.WARNING)
    elif not m.matches(comparison, _WITH_TEXT):  # the compiler rejects those: TS306
        start, end = match.place(comparison)  # the same for both operands
        yield Finding(
            f"this compares the elements: in TorchScript, {match.event_text} is the tensor itself",
            "Compare `dtype` and `device` instead.",
            compared_parts(match, comparison),
            start,
            end,
            Severity.WARNING,
        )
