"""A suppression comment that suppresses nothing.

## What it does

Reports `# tslint:` comments that suppress no finding: the code was fixed, the rule's name is misspelt, the comment
stands on another line than the finding, or `# tslint: on` closes no `off`.

## Why TorchScript rejects it

It does not. But an unused suppression may hide a later mistake.

## Example

```python
y = x + 1  # tslint: ignore[TS104]
```

## Use instead

```python
y = x + 1
```

Suppressions of several rules lose only what is not needed. If nothing that was checked calls a function, its
comments are not judged: a model in another file may well compile it.

## Fix safety

Safe: only the comment is removed. Misspelt rules are left for you to correct.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule("TS902", "unused-suppression", events=(), severity=Severity.WARNING, stage=Stage.SCRIPT)


def check(match: Match) -> Iterator[Finding]:
    """Yield nothing: the engine reports it when it applies suppressions."""
    yield from ()
