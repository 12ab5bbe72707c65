"""# A module that never compiles

## What it does

Finds submodules that `torch.jit.script` always rejects: instances of some classes of `torch.nn`, modules with the
parametrizations `spectral_norm` or `orthogonal`, modules whose `__init__` never calls `super().__init__()`, and
subclasses of `nn.LSTM` without a `forward` of their own. A subclass of `nn.GRU` or `nn.RNN` compiles, but the rule
finds calls of it without the hidden state.

## Why TorchScript rejects it

Every submodule is compiled, even if it is never called, and the code of these modules contains Python that TorchScript
does not support. Without `super().__init__()`, a module cannot store parameters and submodules. A subclass of `nn.LSTM`
does not inherit the overloads that declare the types of the arguments of `forward`, so parameters without annotation
are Tensors.

```text
Comprehension ifs are not supported yet
```

## Example

```python
import torch
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = spectral_norm(nn.Linear(3, 3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x)
```

## Use instead

Before scripting, remove a parametrization with `torch.nn.utils.parametrize.remove_parametrizations(module, "weight")`;
`torch.jit.trace` accepts parametrizations, but trace a module with `spectral_norm` in eval mode: in training mode, the
trace raises when it runs.

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x)


inputs = (torch.rand(2, 3),)
```

## Fix safety

No fix: only the author knows when training ends, so that the parametrization can be removed.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import (
    InheritedOverloads,
    UninitializedModule,
    UnscriptableModule,
    UnscriptableParametrization,
)

RULE = Rule(
    code="TS426",
    name="unscriptable-module",
    events=(UnscriptableModule, UnscriptableParametrization, UninitializedModule, InheritedOverloads),
)


def check(
    match: Match[UnscriptableModule | UnscriptableParametrization | UninitializedModule | InheritedOverloads],
) -> Iterator[Finding]:
    """Report a module that cannot be compiled: because of its class, a parametrization or its constructor."""
    name = match.event.name
    if isinstance(match.event, UnscriptableParametrization):
        yield match.finding(
            f"TorchScript cannot compile a module with `{name}`",
            help=(
                "Call `torch.nn.utils.parametrize.remove_parametrizations(module, "
                '"weight")` before scripting, or use `torch.jit.trace` in eval mode.'
            ),
        )
    elif isinstance(match.event, UninitializedModule):
        yield match.finding(
            f"`{name}` never calls `super().__init__()`", help="Call `super().__init__()` first in `__init__`."
        )
    elif isinstance(match.event, InheritedOverloads):
        base, argument = match.event.base, match.event.argument
        what = f"is called without `{argument}`" if argument else "cannot be compiled"
        instead = (
            f"Pass `{argument}`" if argument else f"Store an `nn.{base}` in an attribute instead of inheriting from it"
        )
        yield match.finding(
            f"`{name}` {what}: TorchScript does not inherit the overloads of `nn.{base}`",
            help=f"{instead}, or use `nn.{base}` itself.",
        )
    else:
        yield match.finding(
            f"TorchScript cannot compile `nn.{name}`",
            help="Move it out of the scripted module (into the training loop, for example), or use `torch.jit.trace`.",
        )
