"""A suppression comment that suppresses nothing.

## What it does

Reports `# tslint:` comments that suppress no finding: the code was fixed, the rule's name is misspelt, the comment is
not on the line of the finding, or `# tslint: on` has no `off` before it.

## What goes wrong

An unused suppression may hide a later mistake.

## Example

```python
y = x + 1  # tslint: ignore[TS104]
```

## Use instead

```python
y = x + 1
```

If a comment names several rules, only the unused ones are reported. Comments in functions that no checked file compiles
are not reported, because another file may compile these functions.

## Fix safety

Removing the comment, or the unused rules from it, is *safe*. A misspelt name has no fix.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule("TS902", "unused-suppression", events=(), severity=Severity.WARNING, stage=Stage.SCRIPT)


def check(match: Match) -> Iterator[Finding]:
    """Yield nothing: the engine reports the findings of this rule when it applies suppressions."""
    yield from ()
