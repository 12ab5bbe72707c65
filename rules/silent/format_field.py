"""# Format field that is not replaced

## What it does

Finds `'...'.format(...)` with anything but empty braces: `{:.2f}`, `{0}`, `{name}`, `{!r}`, or escaped `{{`.

## What goes wrong

TorchScript accepts it, but replaces only `{}`. Other braces stay in the string and take no argument: the next `{}` gets
their argument, so values also move to the wrong place. The `{}` in `{{}}` takes an argument, too: if no argument is
left for a later `{}`, compiled code raises when it runs.

## Example

```python
import torch


def label(value: float) -> str:
    return "loss {:f}".format(value)


scripted = torch.jit.script(label)
inputs = (0.25,)
```

## Use instead

```python
import torch


def label(value: float) -> str:
    return "loss %f" % value


scripted = torch.jit.script(label)
inputs = (0.25,)
```

## Fix safety

No fix: TorchScript has no width and no precision, so most texts would change.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import short
from tslint.script.events.hazards import FormatField

RULE = Rule(code="TS607", name="format-field", events=(FormatField,))
_BASES = "boxX"  # binary, octal and hexadecimal numbers


def check(match: Match[FormatField]) -> Iterator[Finding]:
    """Report a field that is not replaced; a warning if the text is only a message."""
    event = match.event
    base = event.field.partition(":")[2][-2:-1]
    help = "Use `{}`, or `%f`, `%d` and `%s` without width and precision, or format the value outside compiled code."
    if base and base in _BASES:
        help = (
            f"TorchScript has no format `{base}`: format the number in Python, in a method marked `@torch.jit.unused` "
            "that is called under `if not torch.jit.is_scripting():`."
        )
    yield match.finding(
        f"TorchScript replaces only `{{}}`: `{event.field}` stays in the text {short(repr(event.text))}",
        help=help,
        severity=Severity.WARNING if event.message else None,
    )
