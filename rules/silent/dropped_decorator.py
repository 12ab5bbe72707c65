"""# Decorator that compiled code ignores

## What it does

Finds decorators with an effect (`@torch.no_grad()`, `@torch.autocast(...)`, your own wrapper marked with
`functools.wraps`) on functions that `torch.jit.script` compiles.

## What goes wrong

TorchScript accepts it, but ignores the decorator: the compiler compiles the source of the function itself. Only Python
runs the decorator. In compiled code, gradients are recorded in spite of `no_grad`, `autocast` has no effect, and the
code of a wrapper does not run.

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))

    @torch.no_grad()
    def scaled(self, x: torch.Tensor) -> torch.Tensor:
        y = x * self.scale
        return y

    def forward(self, x: torch.Tensor):
        return self.scaled(x)


inputs = (torch.ones(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))

    def scaled(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            y = x * self.scale
            return y

    def forward(self, x: torch.Tensor):
        return self.scaled(x)


inputs = (torch.ones(2, 3),)
```

## Fix safety

The fix replaces the decorators `no_grad` and `autocast` by a `with` around the body, which is *safe*: Python does the
same. TorchScript computes equal operations only once. If the function under `no_grad` and other code of the file
contain the same operation, such as `self.net(x)`, the other code may get the result from inside `no_grad`. That result
has no gradients. In this case, the fix is only shown (*display*). `inference_mode`, `enable_grad` and
`set_grad_enabled` have no fix, because they do not compile as a `with`. A wrapper has no fix, because only the author
can move its code.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Severity
from tslint.rewrite.decorator_to_with import as_with
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import DroppedDecorator

RULE = Rule(code="TS601", name="dropped-decorator", events=(DroppedDecorator,), severity=Severity.WARNING)

_LOST = {
    "no_grad": "gradients are recorded",
    "inference_mode": "gradients are recorded",
    "enable_grad": "compiled code keeps the caller's grad mode",
    "set_grad_enabled": "compiled code keeps the caller's grad mode",
    "autocast": "compiled code keeps the caller's autocast",
}
_HELP = {
    "no_grad": "Write `with torch.no_grad():` around the body instead.",
    "inference_mode": "Write `with torch.no_grad():` around the body: a `with` of `inference_mode` does not compile.",
    "autocast": "Write `with torch.autocast(...):` around the body instead.",
}


def check(match: Match[DroppedDecorator]) -> Iterator[Finding]:
    """Report the decorator and the effect that is lost, with a fix that writes it as a ``with``."""
    event = match.event
    decorator = match.node
    name, effect = event.function.name, event.effect
    shown = f"`@{' '.join(match.code(decorator).split())}`"
    if effect == "wraps":
        yield match.finding(
            f"{shown} does nothing in TorchScript: `{name}` is compiled without its wrapper",
            help=f"Move what the wrapper does into `{name}`, or use the wrapper only in code that is not compiled.",
        )
        return
    help = _HELP.get(effect, "Set the grad mode in the code that calls the compiled function.")
    if effect == "autocast" and isinstance(decorator, cst.Call):
        help = f"Write `with {shown.strip('`@')}:` around the body instead."
    yield match.finding(
        f"{shown} on `{name}` does nothing in TorchScript: {_LOST[effect]}",
        help=help,
        fix=as_with(match, event.node, effect),
    )
