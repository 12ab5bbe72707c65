"""A file that cannot be read, decoded or parsed.

## What it does

Reports files that the Python that runs tslint cannot read: because of a syntax error, bytes that are not text in the
declared encoding, a binary file, or a missing permission. The other files are checked.

## Why TorchScript rejects it

What Python cannot import, TorchScript cannot compile.

## Example

```python
def forward(self, x)
    return x
```

## Use instead

```python
def forward(self, x):
    return x
```

If a file is not meant to be Python, exclude it with `extend-exclude`. If its syntax is too new for the Python that runs
tslint, run tslint with a newer Python.

## Fix safety

No fix.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule("TS901", "unparsable-file", events=(), severity=Severity.ERROR, stage=Stage.SCRIPT)


def check(match: Match) -> Iterator[Finding]:
    """Yield nothing: the engine reports the findings of this rule when it reads and parses files."""
    yield from ()
