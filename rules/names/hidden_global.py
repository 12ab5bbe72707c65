"""# Global name in a function with a decorator of torch

## What it does

Finds compiled functions under `@torch.no_grad()`, `@torch.inference_mode()`, `@torch.enable_grad()`,
`@torch.set_grad_enabled(...)` or `@torch.autocast(...)` that read a name of their file: an import, another function, a
constant.

## Why TorchScript rejects it

The decorator returns a function of torch that calls yours. The compiler finds the source of your function, but looks up
its names in torch's file, which has no `torch`, no `F` and nothing that you have imported or defined:

```text
undefined value torch
```

A function that only calls methods (`x.relu()`, `self.layer(x)`) and builtins compiles, but without the decorator
(`dropped-decorator`).

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    @torch.no_grad()
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            return torch.relu(x)


inputs = (torch.rand(3),)
```

## Fix safety

The fix replaces the decorators `no_grad` and `autocast` by a `with` around the body. This is *safe*: Python does the
same. The fix is only shown (*display*) if the file calls the function, and the function and other code of the file
contain the same operation, such as `torch.relu(x)`. TorchScript computes equal operations only once, so the other code
may get the result from inside `no_grad`. That result has no gradients. `inference_mode`, `enable_grad` and
`set_grad_enabled` have no fix, because they do not compile as a `with`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rewrite.decorator_to_with import as_with
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.names import HiddenGlobal

RULE = Rule(code="TS226", name="hidden-global", events=(HiddenGlobal,))

_HELP = {
    "no_grad": "Remove the decorator, and write `with torch.no_grad():` around the body.",
    "inference_mode": "Remove the decorator, and write `with torch.no_grad():` around the body: TorchScript has no "
    "`with torch.inference_mode():`.",
    "autocast": "Remove the decorator, and write `with torch.autocast(...):` around the body.",
}


def check(match: Match[HiddenGlobal]) -> Iterator[Finding]:
    """Report the decorator, with a fix that moves its effect into the body."""
    event = match.event
    shown = match.quote(match.libcst(event.decorator)).replace("`", "`@", 1)
    yield match.finding(
        f"`{event.name}` is not found: under {shown}, TorchScript looks names up in another file",
        help=_HELP.get(
            event.effect, "Remove the decorator, and set the grad mode in the code that calls the compiled function."
        ),
        fix=as_with(match, event.decorator, event.effect),
    )
