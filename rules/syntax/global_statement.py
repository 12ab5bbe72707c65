"""# `global` or `nonlocal` in compiled code

## What it does

Finds `global` and `nonlocal` statements in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Compiled code runs without the Python module, so it cannot change the variables of that module.

```text
global variables aren't supported
```

## Example

```python
import torch
from torch import nn

calls = 0


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        global calls
        calls += 1
        return x
```

## Use instead

Store the state in an attribute of the `nn.Module`:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        return x


inputs = (torch.rand(3),)
```

A value that is only read needs no `global`: use a `Final` attribute, or pass it as an argument.

## Fix safety

No fix: other code may read the variable.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import listed
from tslint.script.events.syntax import GlobalStatement, NonlocalStatement

RULE = Rule(code="TS106", name="global-statement", events=(GlobalStatement, NonlocalStatement))


def check(match: Match[GlobalStatement | NonlocalStatement]) -> Iterator[Finding]:
    """Report the statement at its keyword."""
    keyword = "global" if isinstance(match.event, GlobalStatement) else "nonlocal"
    names = listed(match.event.bound)
    yield match.finding(
        f"`{keyword}` cannot be compiled: compiled code cannot rebind {names}",
        help="Store the value in an attribute of the `nn.Module`, or pass it as an argument and return the new value.",
        keyword=keyword,
    )
