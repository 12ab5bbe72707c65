"""# Buffer that is not persistent

## What it does

Finds `register_buffer(..., persistent=False)` in modules that `torch.jit.script` compiles.

## What goes wrong

TorchScript ignores the flag: every buffer of the compiled module is in its `state_dict` and in the archive. Checkpoints
of the Python module and of the compiled one are not compatible: `load_state_dict` reports a missing or unexpected key.

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("shift", torch.ones(3), persistent=False)

    def forward(self, x: torch.Tensor):
        return x + self.shift


inputs = (torch.ones(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("shift", torch.ones(3))

    def forward(self, x: torch.Tensor):
        return x + self.shift


inputs = (torch.ones(3),)
```

Or keep the flag, and load checkpoints into the Python module before scripting it.

## Fix safety

No fix: without the flag, the buffer would also be in Python's `state_dict`, which changes checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import TransientBuffer

RULE = Rule(
    code="TS809", name="transient-buffer", events=(TransientBuffer,), severity=Severity.WARNING, stage=Stage.LOAD
)


def check(match: Match[TransientBuffer]) -> Iterator[Finding]:
    """Report a buffer that only the compiled module saves."""
    name = match.event.name
    yield match.finding(
        f"the buffer `{name}` is not persistent, but the compiled `state_dict` contains it",
        help="Load checkpoints into the Python module before scripting it, or make the buffer persistent.",
    )
