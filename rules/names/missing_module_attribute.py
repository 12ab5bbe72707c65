"""# A name that a module does not have

## What it does

Finds `torch.X`, `F.X`, `math.X` and similar names that do not exist in their module, and names that a file reads from
itself, with `sys.modules[__name__]`, but never sets.

## Why TorchScript rejects it

The name does not exist: Python raises, too, when it runs this line. Some names of older versions of torch, such as
`torch.rfft`, were removed.

```text
object has no attribute rfft
```

## Example

```python
import torch


def spectrum(x: torch.Tensor) -> torch.Tensor:
    return torch.rfft(x, 1)


scripted = torch.jit.script(spectrum)
```

## Use instead

```python
import torch


def spectrum(x: torch.Tensor) -> torch.Tensor:
    return torch.view_as_real(torch.fft.rfft(x))


scripted = torch.jit.script(spectrum)
inputs = (torch.rand(4),)
```

## Fix safety

No fix: only the author knows what was meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.names import MissingModuleAttribute

RULE = Rule(code="TS224", name="missing-module-attribute", events=(MissingModuleAttribute,))


def check(match: Match[MissingModuleAttribute]) -> Iterator[Finding]:
    """Report a name that a module does not have."""
    event = match.event
    yield match.finding(
        f"`{event.module}` has no `{event.attribute}`",
        help=f"Check the spelling of `{event.attribute}`, or look up in the documentation what replaces it.",
    )
