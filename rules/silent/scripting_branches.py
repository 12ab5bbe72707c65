"""# Branches of is_scripting() that give different things

## What it does

Finds `if torch.jit.is_scripting():` whose two sides return or assign things of different kinds: a Tensor here and a
tuple, dict or another dtype there.

## Why TorchScript rejects it

It does not: it compiles the one side and Python runs the other. Code that was written against the model in Python, and
tests of it, meet another result once it is compiled.

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

No fix: which of the two results callers should get is the author's choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import ScriptingBranches

RULE = Rule(code="TS602", name="scripting-branches", events=(ScriptingBranches,), severity=Severity.WARNING)


def check(match: Match[ScriptingBranches]) -> Iterator[Finding]:
    """Say what each side gives."""
    event = match.event
    verb = f"`{event.name}` is" if event.name else "this returns"
    yield match.finding(
        f"{verb} {event.compiled} in TorchScript and {event.eager} in Python: the branches of `is_scripting()` differ",
        help="Give both branches the same kind of result, or document that the compiled one is another.",
    )
