"""# Value that TorchScript prints differently

## What it does

Finds `str(...)`, f-strings and `.format(...)` with a float, a dtype, a layout or a list of strings, if the resulting
string is used for more than a message.

## What goes wrong

TorchScript accepts it, but creates another string: `3.` for `3.0`, `0.10000000000000001` for `0.1`, `6` for
`torch.float32`, `[a]` for `['a']`. An int to the power of an int is a float in TorchScript (`8.` for `8`). Lookups and
comparisons with that string fail.

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

No fix: TorchScript cannot create the string that Python creates.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import TextOfValue

RULE = Rule(code="TS614", name="text-of-value", events=(TextOfValue,), severity=Severity.WARNING)
_WRITTEN = {
    "int": "an int in Python (`8`), a float in TorchScript (`8.`)",
    "float": "TorchScript prints other digits, such as `3.` for `3.0`",
    "dtype": "TorchScript prints a dtype as a number",
    "layout": "TorchScript prints a layout as a number",
    "List[str]": "TorchScript prints strings in a list without quotes",
}


def check(match: Match[TextOfValue]) -> Iterator[Finding]:
    """Report a value that TorchScript prints differently than Python."""
    event = match.event
    value = match.libcst(event.value)
    help = "Compare the values instead of their texts, or build the text in Python."
    if event.form == "int":
        help = f"Write `int({match.code(value)})`."
    yield match.finding(f"{match.quote(value)} has another text in TorchScript: {_WRITTEN[event.form]}", help=help)
