"""# Function or module chosen in a branch

## What it does

Finds names that stand for a function, a module or another thing that is no value, and that are bound anew inside an
`if` or a loop.

## Why TorchScript rejects it

What a name stands for after a branch depends on the branch that ran. That is possible for values only: a call must
lead to one function that the compiler knows.

```text
Cannot re-assign 'act' to a value of type function because act is not a first-class value.
```

## Example

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, smooth: bool = False) -> torch.Tensor:
        act = F.relu
        if smooth:
            act = F.silu
        return act(x)
```

## Use instead

Call it in each branch:

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, smooth: bool = False) -> torch.Tensor:
        if smooth:
            return F.silu(x)
        return F.relu(x)


inputs = (torch.rand(3),)
```

A test that the compiler decides (`self.smooth` declared `Final[bool]`) may choose between functions.

## Fix safety

No fix: the calls have to be moved into the branches.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.names import ReassignedNonValue

RULE = Rule(code="TS221", name="reassigned-callable", events=(ReassignedNonValue,))

_WORDS = {
    "function": "a function", "builtin": "a function", "boolean dispatch": "a function", "method": "a method",
    "module": "a module", "Python type": "a class", "range": "a `range`", "iterabletree": "an iterator",
    "python module": "a Python module",
}  # fmt: skip


def check(match: Match[ReassignedNonValue]) -> Iterator[Finding]:
    """Name the variable and what it stood for before."""
    name, what, before = (match.event.name, match.event.what, match.event.before)
    value = match.event_text
    around = match.parent(match.node)
    if isinstance(around, cst.For) and around.iter is match.node:
        yield match.finding(
            f"the loop over {value} binds `{name}` anew, which stands for {_WORDS.get(before, f'a {before}')} already",
            help=f"Give the loop's variable a name of its own, or leave `{name}` to one of the loops.",
        )
        return
    new = _WORDS.get(what, f"a {what}")
    old = _WORDS.get(before, f"a {before}" if before else "something else")
    if new == old:
        message = f"`{name}` stands for {old} and becomes {value} in a branch or loop: only values can be chosen there"
    else:
        message = (
            f"`{name}` stands for {old} and becomes {new}, {value}, in a branch or loop: only values can change there"
        )
    yield match.finding(
        message,
        help=f"Call it in each branch and bind the result, or declare what is tested `Final[bool]` and bind `{name}` "
        "once in each branch.",
    )
