"""# Tensor type given by its name

## What it does

Finds `x.type("torch.FloatTensor")` in compiled code.

## Why TorchScript rejects it

It does not, and takes the name for a device, `x.to("torch.FloatTensor")`, which stops when it runs.

```text
RuntimeError: Invalid device string: 'torch.FloatTensor'
```

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

Writing the device and the dtype that the name stands for is *safe*. Other names have no fix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import code, expression
from tslint.script.events.hazards import TypeByName

RULE = Rule(code="TS615", name="type-by-name", events=(TypeByName,))
_NAME = re.compile(r"torch\.(cuda\.)?(\w+)Tensor")
_DTYPES = {
    "Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16", "Byte": "uint8",
    "Char": "int8", "Short": "int16", "Int": "int32", "Long": "int64", "Bool": "bool",
}  # fmt: skip


def check(match: Match[TypeByName]) -> Iterator[Finding]:
    """Say what it is taken for."""
    yield match.finding(
        f"{match.event_text} stops when it runs: TorchScript takes the name for a device",
        help="Write `.to(device, dtype)`.",
        fix=_fix(match),
    )


def _fix(match: Match[TypeByName]) -> Fix | None:
    """``x.type("torch.FloatTensor")`` → ``x.to("cpu", torch.float32)``."""
    found = _NAME.fullmatch(match.event.name)
    node = match.node
    if found is None or found[2] not in _DTYPES:
        return None
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return None
    value = node.func.value
    torch, imports = match.imported("torch")
    device = '"cuda"' if found[1] else '"cpu"'
    parts = {"device": device, "torch": torch, "dtype": _DTYPES[found[2]]}
    shown = code(expression("to({device}, {torch}.{dtype})", **parts))

    def edits() -> tuple[Edit, ...]:
        return match.replace(node, expression("{value}.to({device}, {torch}.{dtype})", value=value, **parts))

    return safe(f"Write `{shown}`", edits, *imports)
