"""# f-string with literal braces

## What it does

Finds f-strings that contain `{{}}` and a value.

## What goes wrong

TorchScript accepts it, but raises when the line runs: the f-string becomes a call of `format`, in which the literal
`{}` is a placeholder and needs a value.

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

No fix: write the literal braces as a string of their own, as above.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import LiteralBraces

RULE = Rule(code="TS609", name="literal-braces", events=(LiteralBraces,))


def check(match: Match[LiteralBraces]) -> Iterator[Finding]:
    """Report an f-string with braces that compiled code reads as a placeholder."""
    yield match.finding(
        f"{match.event_text} compiles but raises when it runs: TorchScript reads `{{{{}}}}` as a placeholder",
        help='Put the braces in a separate string: `"{}" + f"..."`.',
        severity=Severity.WARNING if match.event.message else None,
    )
