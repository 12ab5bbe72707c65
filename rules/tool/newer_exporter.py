"""The archive is saved by a newer torch than the one that will load it.

## What it does

`tslint verify` reports this if `target-torch` names an older version than the installed one. `tslint check` never
reports it; code that the older *compiler* rejects is reported as TS801.

## What goes wrong

Torch loads the archives of older versions, but does not promise to load those of newer ones: the archive may have a
newer format, or call operators and overloads that the older runtime does not have.

```text
Attempted to read a PyTorch file with version 11, but the maximum supported version for reading is 10
```

## Fix safety

No fix: export with the version that loads the archive, or upgrade that version.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule("TS906", "newer-exporter", events=(), severity=Severity.WARNING, stage=Stage.SAVE)


def check(match: Match) -> Iterator[Finding]:
    """Yield nothing: ``tslint verify`` reports the findings of this rule."""
    yield from ()
