"""# Index or key that a container of modules does not have

## What it does

Finds integer literals beyond the length of an `nn.ModuleList` or `nn.Sequential`, and string literals that are not keys
of an `nn.ModuleDict`, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The compiler looks up the module when it compiles the code, so the index or key must exist.

```text
Index 2 out of range of length 2
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, x):
        if x.size(0) > 64:
            x = self.layers[2](x)
        return self.layers[0](x)


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, x):
        if x.size(0) > 64:
            x = self.layers[1](x)
        return self.layers[0](x)


inputs = (torch.rand(2, 3),)
```

If `__init__` creates the module only with some arguments, put the call under `if self.flag:`, where `flag` is a
`Final[bool]` attribute, or under `if self.layers is not None:`. The compiler drops the branch if the test is false.

## Fix safety

No fix: only the author knows which module is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import ContainerMissingKey, ContainerRange
from tslint.util.suggest import did_you_mean

RULE = Rule(code="TS403", name="container-range", events=(ContainerRange, ContainerMissingKey))

_UNDER_TEST = " A branch that never runs is compiled, too, unless its test is a `Final[bool]` attribute."


def check(match: Match[ContainerRange | ContainerMissingKey]) -> Iterator[Finding]:
    """Report an index or a key that the container does not have."""
    event, text = match.event, match.event_text
    if isinstance(event, ContainerMissingKey) and event.keys is None:
        yield match.finding(
            f"{text} does not exist",
            help="Always put a module there, such as `nn.Identity()`: a branch under an `in` test is compiled, too.",
        )
        return
    if isinstance(event, ContainerMissingKey):
        keys = ", ".join(repr(key) for key in event.keys or ())
        close = did_you_mean(event.key, event.keys or ())
        found = f"the keys of `{event.path}` are {keys}{close}" if keys else f"`{event.path}` is empty"
        yield match.finding(
            f"{text} does not exist: {found}",
            help="Put the module into the ModuleDict, or use another key.",
        )
        return
    length = event.length
    yield match.finding(
        f"{text} does not exist: `{event.path}` has {length} module{'' if length == 1 else 's'}",
        help=f"Use an index from {-length} to {length - 1}.{_UNDER_TEST if match.enclosing(cst.If) is not None else ''}"
        if length
        else "Add a module to the container, or put this under a test of a `Final[bool]` attribute.",
    )
