"""# Value that is written in another way

## What it does

Finds `str(...)`, f-strings and `.format(...)` with a float, a dtype, a layout or a list of texts, where the text is
used.

## Why TorchScript rejects it

It does not, and writes another text: `3.` for `3.0`, `6` for `torch.float32`, `[a]` for `['a']`. What is looked up by
that text, or compared with it, is not found.

## Example

```python
import torch


def label(x: torch.Tensor) -> str:
    return f"weights of {x.dtype}"


scripted = torch.jit.script(label)
inputs = (torch.ones(2),)
```

## Use instead

```python
import torch


def label(x: torch.Tensor) -> str:
    return "weights of float32" if x.dtype == torch.float32 else "other weights"


scripted = torch.jit.script(label)
inputs = (torch.ones(2),)
```

## Fix safety

No fix: the text that Python writes cannot be written in TorchScript.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import TextOfValue

RULE = Rule(code="TS614", name="text-of-value", events=(TextOfValue,), severity=Severity.WARNING)
_WRITTEN = {
    "float": "a whole float is written as `3.` in TorchScript, and as `3.0` in Python",
    "dtype": "a dtype is written as a number in TorchScript",
    "layout": "a layout is written as a number in TorchScript",
    "List[str]": "texts in a list are written without quotes in TorchScript",
}


def check(match: Match[TextOfValue]) -> Iterator[Finding]:
    """Say how it is written."""
    event = match.event
    yield match.finding(
        f"The text of {match.quote(match.libcst(event.value))} is another one: {_WRITTEN[event.form]}",
        help="Compare values, not their texts, or leave the text to Python.",
    )
