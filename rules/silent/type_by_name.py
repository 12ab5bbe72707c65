"""# Tensor type given by its name

## What it does

Finds `x.type("torch.FloatTensor")` in compiled code.

## What goes wrong

TorchScript accepts it, but reads the name as a device, `x.to("torch.FloatTensor")`, and raises when it runs.

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

The fix writes the device and the dtype of that tensor type, which is *safe*. Other names have no fix, including those
of CUDA: `to("cuda")` could move a tensor from one GPU to another, which `type` does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rewrite.type_casts import to_device_and_dtype
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import TypeByName

RULE = Rule(code="TS615", name="type-by-name", events=(TypeByName,))


def check(match: Match[TypeByName]) -> Iterator[Finding]:
    """Report that the compiler reads the name as a device."""
    yield match.finding(
        f"{match.event_text} raises when it runs: TorchScript reads the name as a device",
        help="Write `.to(device, dtype)`.",
        fix=to_device_and_dtype(match, match.node, match.event.name),
    )
