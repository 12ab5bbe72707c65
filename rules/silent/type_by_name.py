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

import ast
import re
from collections.abc import Iterator

from tslint.diagnostics import Fix
from tslint.rewrite.decorator_to_with import shown
from tslint.rewrite.spans import operand, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS615", name="type-by-name", events=("type-by-name",))
_NAME = re.compile(r"torch\.(cuda\.)?(\w+)Tensor")
_DTYPES = {
    "Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16", "Byte": "uint8",
    "Char": "int8", "Short": "int16", "Int": "int32", "Long": "int64", "Bool": "bool",
}  # fmt: skip


def check(match: Match) -> Iterator[Finding]:
    """Say what it is taken for."""
    node = match.event.node
    assert isinstance(node, ast.Call)
    yield match.finding(
        f"{shown(match.text(node))} stops when it runs: TorchScript takes the name for a device",
        help="Write `.to(device, dtype)`.",
        fix=_fix(match, node),
    )


def _fix(match: Match, node: ast.Call) -> Fix | None:
    found = _NAME.fullmatch(match.event.facts["name"])
    if found is None or found[2] not in _DTYPES or not isinstance(node.func, ast.Attribute):
        return None
    torch, imports = match.imported("torch")
    device = "cuda" if found[1] else "cpu"
    call = f'to("{device}", {torch}.{_DTYPES[found[2]]})'
    text = f"{operand(match, node.func.value)}.{call}"
    return safe(f"Write `{call}`", replace(match, node, text), *imports)
