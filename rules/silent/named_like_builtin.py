"""# Function with the name of a builtin

## What it does

Finds names such as `round`, `max`, `sum` and `len` in compiled code, if the file defines or imports a function or class
of that name.

## What goes wrong

Python uses the function of the file, but the compiler looks up its own builtins first. If the builtin accepts the
arguments, compiled code returns another result. If not, the compiler reports an error about the arguments.

## Example

```python
import torch


def round(x: torch.Tensor) -> torch.Tensor:
    return torch.floor(x + 0.5)


def quantize(x: torch.Tensor) -> torch.Tensor:
    return round(x * 4) / 4


scripted = torch.jit.script(quantize)
inputs = (torch.tensor([0.125, 0.625]),)
```

## Use instead

```python
import torch


def round_half_up(x: torch.Tensor) -> torch.Tensor:
    return torch.floor(x + 0.5)


def quantize(x: torch.Tensor) -> torch.Tensor:
    return round_half_up(x * 4) / 4


scripted = torch.jit.script(quantize)
inputs = (torch.tensor([0.125, 0.625]),)
```

## Fix safety

No fix: other files may import the function by its name.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import NamedLikeBuiltin

RULE = Rule(code="TS625", name="named-like-builtin", events=(NamedLikeBuiltin,), severity=Severity.WARNING)


def check(match: Match[NamedLikeBuiltin]) -> Iterator[Finding]:
    """Report which function Python uses instead."""
    found = match.event.definition
    here = found.module.source is match.source
    where = f"on line {found.node.lineno}" if here else f"of `{found.module.name}`"
    yield match.finding(
        f"{match.event_text} means TorchScript's builtin here, not the definition {where}",
        help="Give the definition another name: the compiler looks up its builtins before the names of the file.",
    )
