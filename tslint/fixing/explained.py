"""Adds to the remaining findings the reasons why their fixes were not applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tslint.fixing.reported import What, what
from tslint.fixing.workarounds import InVain, in_vain
from tslint.lint.engine import Report


def explained(report: Report, rejected: Mapping[What, str], vain: Mapping[int, InVain]) -> Report:
    """Return a report in which findings whose fixes were rejected or wait give the reason, and have no fix.

    Args:
        report: the findings that remain.
        rejected: the fixes that were tried and reverted, each with its note.
        vain: the fixes after which nothing more would compile, as :func:`~tslint.fixing.workarounds.useless` returns
            them.
    """
    found = []
    for each in report.diagnostics:
        reason = rejected.get(what(each)) if each.fix is not None else None
        given_up = None
        if reason is not None:
            why = reason.partition(" was not fixed: ")[2].partition(". ")[0]
            given_up = f"Its fix was tried and reverted: {why}."
        elif id(each) in vain:
            served, obstacle = vain[id(each)]
            given_up = f"Its fix waits: {in_vain(served, obstacle.seen_from(each.filename))}."
        if given_up is not None:
            each = replace(each, fix=None, help=f"{each.help} {given_up}" if each.help else given_up)
        found.append(each)
    return replace(report, diagnostics=tuple(found))
