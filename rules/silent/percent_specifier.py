"""# `%` specifier that raises

## What it does

Finds `'...' % x` with a width, a precision or a specifier other than `%s`, `%d`, `%i`, `%f`, `%F`, `%e`, `%E`, `%c` and
`%%`.

## What goes wrong

TorchScript accepts it, but raises when the line runs: only bare specifiers are supported.

```text
The specifier %. is not supported in TorchScript format strings
```

## Example

```python
import torch


def label(value: float) -> str:
    return "loss %.2f" % value


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

No fix: TorchScript has no width and no precision, so the text cannot stay the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import short
from tslint.script.events.hazards import PercentSpecifier

RULE = Rule(code="TS608", name="percent-specifier", events=(PercentSpecifier,))


def check(match: Match[PercentSpecifier]) -> Iterator[Finding]:
    """Report a specifier that raises; a warning if the text is only a message."""
    event = match.event
    after = re.escape(event.specifier) + r"[\d.*]*[a-zA-Z%]?"
    whole = found[0] if (found := re.search(after, event.text)) else event.specifier
    yield match.finding(
        f"{short(repr(event.text))} raises when it runs: TorchScript does not know `{whole}`",
        help="Use `%s`, `%d` or `%f` without width or precision, or format the value outside compiled code.",
        severity=Severity.WARNING if event.message else None,
    )
