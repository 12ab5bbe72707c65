"""# f-string with literal braces

## What it does

Finds f-strings that hold `{{}}` next to a value.

## Why TorchScript rejects it

It does not, and stops when the line runs: an f-string becomes `format`, and a literal `{}` in it takes a value away.

```text
Too few arguments for format string
```

## Example

```python
import torch


def label(value: int) -> str:
    return f"{{}} {value}"


scripted = torch.jit.script(label)
inputs = (3,)
```

## Use instead

```python
import torch


def label(value: int) -> str:
    return "{}" + f" {value}"


scripted = torch.jit.script(label)
inputs = (3,)
```

## Fix safety

No fix: where the text is to be cut is the author's to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import LiteralBraces

RULE = Rule(code="TS609", name="literal-braces", events=(LiteralBraces,))


def check(match: Match[LiteralBraces]) -> Iterator[Finding]:
    """Say what takes the value away."""
    yield match.finding(
        f"{match.event_text} compiles, and stops when it runs: TorchScript takes `{{{{}}}}` for the place of a value",
        help='Put the braces in a text of their own: `"{}" + f"..."`.',
        severity=Severity.WARNING if match.event.message else None,
    )
