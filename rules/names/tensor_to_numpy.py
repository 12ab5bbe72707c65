"""# Tensor turned into a numpy array

## What it does

Finds `x.numpy()` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

A compiled model has no numpy, and its tensors cannot become arrays.

```text
'Tensor' object has no attribute or method 'numpy'.
```

## Example

```python
import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(x)
        array = y.detach().cpu().numpy()
        array = np.clip(array, 0.0, 0.5)
        return torch.from_numpy(array)


inputs = (torch.rand(4),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(x)
        return y.detach().clamp(0.0, 0.5)


inputs = (torch.rand(4),)
```

If you need numpy, move that code into a method marked `@torch.jit.unused` or `@torch.jit.ignore`: see `numpy-call`.

## Fix safety

The fix moves the numpy code into a method marked `@torch.jit.ignore`. This is *unsafe*: a model with such a method
cannot be saved. In a branch, the method is marked `@torch.jit.unused` instead, and compiled code raises there. This fix
is only shown (*display*). If the results of the numpy code are never read, the fix puts the code under `if not
torch.jit.is_scripting():`. This is *unsafe*: compiled code does not run it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rewrite.numpy_statements import numpy_fix
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.names import NoTensorMember

RULE = Rule(code="TS209", name="tensor-to-numpy", events=(NoTensorMember,))
_LONG = 30


def check(match: Match[NoTensorMember]) -> Iterator[Finding]:
    """Report the call of ``numpy``, with a fix that moves the code out of compiled code."""
    if match.event.attribute != "numpy":
        return
    text = match.event_text
    if len(text) > _LONG:  # the end of the chain is what matters
        text = "`.numpy()`"
    yield match.finding(
        f"{text} creates a numpy array, and compiled code has no numpy",
        help="Use tensors, or move the numpy code into a method marked `@torch.jit.unused` and call it under "
        "`if not torch.jit.is_scripting():`.",
        fix=numpy_fix(match),
    )
