"""# Syntax that is newer than TorchScript

## What it does

Finds syntax that was added to Python after TorchScript's front end was written: `except*`, `type` statements, template
strings, and later additions.

## Why TorchScript rejects it

The front end has a table of the supported syntax. For all other syntax, the compiler's message names the class of the
node in Python's `ast`.

```text
TryStar aren't supported
TypeAlias aren't supported
TemplateStr aren't supported
```

## Example

```python
# Python 3.11 and later
import torch


def double(x: torch.Tensor) -> torch.Tensor:
    try:
        return x * 2
    except* RuntimeError:
        pass
    return x


scripted = torch.jit.script(double)
```

## Use instead

```python
import torch


def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


scripted = torch.jit.script(double)
inputs = (torch.rand(3),)
```

Type aliases go to module level, written as `Pair = Tuple[int, int]`.

## Fix safety

No fix: what to write instead depends on the construct.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.syntax import ExceptStar, TemplateString, TypeAlias, UnsupportedNode

RULE = Rule(
    code="TS134",
    name="newer-python-syntax",
    events=(ExceptStar, TypeAlias, TemplateString, UnsupportedNode),
)
_WORDS = {
    ExceptStar: ("try", "`except*` cannot be compiled: TorchScript has no exception handling", "Remove the `try`."),
    TypeAlias: ("type", "a `type` statement cannot be compiled", "Write the alias at module level: `Name = …`."),
    TemplateString: ("t", "a template string cannot be compiled", "Use an f-string with plain `{…}`."),
}


def check(match: Match[ExceptStar | TypeAlias | TemplateString | UnsupportedNode]) -> Iterator[Finding]:
    """Report the statement or the string at its beginning."""
    node = type(match.event.node).__name__
    keyword, message, help = _WORDS.get(
        type(match.event),
        ("", f"this syntax (`{node}`) cannot be compiled", "Write it in the syntax of Python 3.8."),
    )
    yield match.finding(message, help=help, keyword=keyword)
