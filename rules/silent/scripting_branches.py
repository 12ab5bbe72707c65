"""# Branches of `is_scripting()` with different results

## What it does

Finds `if torch.jit.is_scripting():` whose two branches return or assign different kinds of values, such as a Tensor in
one branch and a tuple, a dict or a Tensor of another dtype in the other branch. It also finds branches for compiled
code that raise, if the branch for Python does not raise.

## What goes wrong

TorchScript accepts it: it compiles one branch, and Python runs the other. Code and tests that were written for the
Python model get a result of another kind from the compiled model.

## Example

```python
import torch


def forward(x: torch.Tensor):
    y = x * 2
    if torch.jit.is_scripting():
        return y
    else:
        return y, x


scripted = torch.jit.script(forward)
inputs = (torch.ones(3),)
```

## Use instead

```python
import torch


def forward(x: torch.Tensor):
    y = x * 2
    return y, x


scripted = torch.jit.script(forward)
inputs = (torch.ones(3),)
```

## Fix safety

No fix: only the author knows which of the two results callers should get.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import ScriptingBranches, ScriptingRaise

RULE = Rule(
    code="TS602", name="scripting-branches", events=(ScriptingBranches, ScriptingRaise), severity=Severity.WARNING
)


def check(match: Match[ScriptingBranches | ScriptingRaise]) -> Iterator[Finding]:
    """Report the kind of result of each branch, or the statement that raises."""
    event = match.event
    if isinstance(event, ScriptingRaise):
        yield match.finding(
            "only compiled code raises here, because of `is_scripting()`",
            help="Write a branch that can be compiled, or say in the docstring that compiled code raises here.",
        )
        return
    verb = f"`{event.name}` is" if event.name else "this returns"
    yield match.finding(
        f"{verb} {event.compiled} in TorchScript, but {event.eager} in Python, because of `is_scripting()`",
        help="Return the same kind of result in both branches, or document the difference.",
    )
