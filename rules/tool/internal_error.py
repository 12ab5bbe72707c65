"""tslint failed on a file.

## What it does

Reports that tslint itself failed on a file, and the error. The other files were checked.

This is a bug in tslint, not in your code. Please report it, with the file or with the lines that the message names. The
same command with `TSLINT_DEBUG=1` prints the traceback. Until the bug is fixed, exclude the file with `extend-exclude`.

## What goes wrong

The file was not checked. So the finding is an error, even if TorchScript accepts the file.

## Fix safety

No fix.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity, Stage
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule("TS900", "internal-error", events=(), severity=Severity.ERROR, stage=Stage.SCRIPT)


def check(match: Match) -> Iterator[Finding]:
    """Yield nothing: the analysis itself reports the findings of this rule."""
    yield from ()
