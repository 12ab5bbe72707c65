"""Contains the result of fixing."""

from __future__ import annotations

from collections import Counter

from tslint.diagnostics import Diagnostic
from tslint.fixing.circles import Spot
from tslint.fixing.workarounds import Unit
from tslint.lint.engine import Report
from tslint.script.refusals import Scope
from tslint.sources.file import SourceFile
from tslint.util.record import record


@record
class AppliedFix:
    """A finding that was fixed, as it was reported after the fixes of earlier rounds.

    Args:
        spot: its position in the text before all fixes.
        finding: the finding with its fix.
        within: the definitions that the fix changed.
        serves: the functions that have to compile at the end, as :func:`tslint.fixing.workarounds.served` returns them.
    """

    spot: Spot
    finding: Diagnostic
    within: frozenset[Scope] = frozenset()
    serves: frozenset[Unit] = frozenset()


@record
class Outcome:
    """The result of fixing.

    Args:
        report: the remaining findings.
        changed: each changed file, before and after.
        applied: the fixed findings, in order.
        notes: what was not done, one line each.
    """

    report: Report
    changed: tuple[tuple[SourceFile, SourceFile], ...]
    applied: tuple[AppliedFix, ...]
    notes: tuple[str, ...]

    @property
    def fixed(self) -> Counter[str]:
        """Return how many findings were fixed in each file, by its name."""
        return Counter(each.spot.filename for each in self.applied)
