"""Finds which fixes may be the reason why code no longer compiles, and whether further fixes may make it compile."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from tslint.diagnostics import Diagnostic, Severity, Stage
from tslint.fixing.circles import Spot
from tslint.fixing.outcome import AppliedFix
from tslint.fixing.scopes import holding
from tslint.lint.engine import Report
from tslint.script.refusals import Refusal, Scope, worse

Broken = Mapping[Scope, Refusal]
"""The roots that no longer compile."""


def suspects(
    applied: Iterable[AppliedFix], broken: Broken, note: Callable[[Spot, str], str]
) -> dict[Scope, dict[Spot, str]]:
    """Return, for each broken root, the fixes that may be the reason, each with its note.

    Args:
        applied: the fixes of a round.
        broken: the roots.
        note: writes why a fix is left out.
    """
    found: dict[Scope, dict[Spot, str]] = {}
    for each in applied:
        for root, refusal in broken.items():
            if not refusal.through.isdisjoint(each.within):
                said = note(each.spot, f"`{root[1]}` would no longer compile")
                found.setdefault(root, {}).setdefault(each.spot, said)
    return found


def beyond_fixing(report: Report, broken: Broken, possible: Collection[Diagnostic]) -> Broken:
    """Return the broken roots that also have errors which no fix may remove.

    Args:
        report: all findings.
        broken: the roots.
        possible: the findings that a fix may remove.
    """
    errors: dict[Scope, list[Diagnostic]] = {}
    for each in report.diagnostics:
        if each.severity is Severity.ERROR and each.stage is Stage.SCRIPT and each.filename in report.sources:
            for scope in holding(report.sources[each.filename], each):
                errors.setdefault(scope, []).append(each)
    wanted = {id(each) for each in possible}
    return {
        root: refusal
        for root, refusal in broken.items()
        if not (found := [each for scope in refusal.through for each in errors.get(scope, ())])
        or not all(id(each) in wanted for each in found)
    }


class Begun(NamedTuple):
    """A root that further fixes should make compile again.

    Args:
        earlier: its refusal before; None if it compiled.
        fixes: the fixes that need further ones, each with the note for the case that these fail.
    """

    earlier: Refusal | None
    fixes: Mapping[Spot, str]

    def more(self, fixes: Mapping[Spot, str]) -> Begun:
        """Return the same root with more fixes."""
        return self._replace(fixes={**self.fixes, **fixes})

    def failed(self, root: Scope, now: Mapping[Scope, Refusal]) -> bool:
        """Return whether the root still does not compile, or compiles in fewer constructions than before."""
        known = {root: self.earlier} if self.earlier is not None else {}
        return root in now and bool(worse(known, {root: now[root]}))
