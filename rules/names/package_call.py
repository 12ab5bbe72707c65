"""# Call into a package that does not compile

## What it does

Finds calls of functions and modules of installed packages whose source `torch.jit.script` cannot compile, such as
einops' functions. The packages are read from the environment that the setting `python` names, or that tslint finds.
Errors inside the package are not reported: the finding is at the call, and its call path leads to the error.

## Why TorchScript rejects it

The compiler also compiles the functions of packages that compiled code calls, and stops at an error there:

```text
try blocks aren't supported
```

## Example

```python
import torch
from sympy import nextprime
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        length = nextprime(x.shape[0])
        return nn.functional.pad(x, (0, length - x.shape[0]))


inputs = (torch.rand(4),)
```

## Use instead

Let Python compute, in `__init__`, what does not depend on an input:

```python
import torch
from sympy import nextprime
from torch import nn


class Net(nn.Module):
    def __init__(self, length: int = 4) -> None:
        super().__init__()
        self.length = int(nextprime(length))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.pad(x, (0, self.length - x.shape[0]))


inputs = (torch.rand(4),)
```

The functions of einops do not compile, but its layers do:

```python
import torch
from einops.layers.torch import Rearrange
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.flatten = Rearrange("b c h w -> b (h w) c")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.flatten(x)
```

## Fix safety

No fix for most packages: only the author knows a replacement.

Calls of einops' `rearrange`, `repeat` and `reduce` with a literal pattern become methods of the Tensor (`x.permute(0,
2, 3, 1).flatten(1, 2)`), if the methods raise wherever einops raises. This is *unsafe*, because the exceptions are
different. The fix may also assume that the argument is a Tensor: einops accepts a list of Tensors, too. Few patterns
with `...` have a fix: most of them need methods that do not raise if a dimension is missing.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.einops_call import as_methods
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.names import PackageCall

RULE = Rule(code="TS225", name="package-call", events=(PackageCall,))

_INSTEAD = {
    "einops": "Create a layer of `einops.layers.torch` in `__init__` (`Rearrange`, `Reduce`, `EinMix`), which "
    "compiles, or write it with `view`, `permute` and `reshape`.",
}


def check(match: Match[PackageCall]) -> Iterator[Finding]:
    """Report the call, the package, and the line of the package where the compiler stops."""
    event = match.event
    callee = match.node.func if isinstance(match.node, cst.Call) else match.node
    place = ""
    if event.refused is not None and event.refused.unit is not None:
        module = event.refused.unit.function.module
        place = f"The compiler stops on line {event.refused.span.row} of `{module.name}`. "
    yield match.finding(
        f"{match.quote(callee)} calls into the package `{event.package}`, whose code TorchScript cannot compile",
        help=place
        + _INSTEAD.get(
            event.package,
            "Use torch instead, or move the call into a method marked `@torch.jit.unused` and call that under "
            "`if not torch.jit.is_scripting():`.",
        ),
        fix=as_methods(match),
    )
