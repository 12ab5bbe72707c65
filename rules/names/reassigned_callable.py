"""# Function or module chosen in a branch

## What it does

Finds variables that hold a function, a module or another object that is not a value in TorchScript, and that are
assigned again inside an `if` or a loop.

## Why TorchScript rejects it

After the `if`, such a variable would hold a different function for each branch. The compiler must know which function a
call means, so only values, such as tensors and numbers, may depend on the branch.

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

Call the function in each branch:

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

from tslint.rewrite.type_reasons import around as around_code
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.names import ReassignedNonValue

RULE = Rule(code="TS221", name="reassigned-callable", events=(ReassignedNonValue,))

_WORDS = {
    "function": "a function", "builtin": "a function", "boolean dispatch": "a function", "method": "a method",
    "module": "a module", "Python type": "a class", "range": "a `range`", "iterabletree": "an iterator",
    "python module": "a Python module", "exception message": "an exception",
}  # fmt: skip


def check(match: Match[ReassignedNonValue]) -> Iterator[Finding]:
    """Report the variable and its earlier value."""
    name, what, before = (match.event.name, match.event.what, match.event.before)
    value = match.event_text
    around = match.parent(match.node)
    if isinstance(around, cst.For) and around.iter is match.node:
        yield match.finding(
            f"the loop over {value} assigns `{name}`, which is already {_WORDS.get(before, f'a {before}')}",
            help="Give the loop variable another name.",
        )
        return
    new, old = _WORDS.get(what, f"a {what}"), _WORDS.get(before) or _typed(before)
    ranged = what == "range"
    other = value if new == old or ranged else f"{new}, {value}"
    message = f"`{name}` is {old}, and {around_code(match)} cannot change it to {other}"
    help = f"Call {value} in its branch, and assign the result. If the test only reads attributes, make them `Final`."
    yield match.finding(message, help="Assign the range to another variable." if ranged else help)


def _typed(before: str) -> str:
    """Return a type with its article, without the compiler's remark that it is inferred."""
    text = before.removesuffix(" (inferred)")
    if not text or text.endswith("]"):
        return text or "another value"
    return f"{'an' if text[0] in 'aeiou' else 'a'} {text}"
