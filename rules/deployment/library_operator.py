"""# Operator of a library

## What it does

Finds calls of operators that come from a library (`torch.ops.mylib.op`, `torchvision.ops.nms`) in code that
`torch.jit.script` compiles.

## What goes wrong

The archive contains only the name of the operator. The program that loads the archive needs the library that registers
the operator: Python must import it first, and C++ must link it.

```text
Unknown builtin op: mylib::double.
```

## Example

```python
import torch
from torch import nn

library = torch.library.Library("mylib", "FRAGMENT")
library.define("double(Tensor x) -> Tensor")
library.impl("double", lambda x: x * 2, "CompositeImplicitAutograd")


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        return torch.ops.mylib.double(x)


inputs = (torch.ones(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * 2


inputs = (torch.ones(3),)
```

## Fix safety

No fix: the code is correct if every program that loads the archive has the library. In that case, turn the rule off.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import LibraryOperator

RULE = Rule(
    code="TS807",
    name="library-operator",
    events=(LibraryOperator,),
    severity=Severity.WARNING,
    stage=Stage.LOAD,
)


def check(match: Match[LibraryOperator]) -> Iterator[Finding]:
    """Report the operator, and the library that the loading process needs."""
    event = match.event
    own = event.operator.startswith(f"{event.library}.")
    example = f": `import {event.library}`" if own else ""
    yield match.finding(
        f"`{event.operator}` comes from a library: the archive cannot be loaded without that library",
        help=f"Before `torch.jit.load`, import the package that registers the operators `{event.library}::…`{example}.",
    )
