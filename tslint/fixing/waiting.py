"""Finds out from a report, without applying anything, which fixes would wait."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tslint.diagnostics import Applicability
from tslint.fixing.reported import fixable
from tslint.fixing.workarounds import useless
from tslint.lint.engine import Report


class Waiting(NamedTuple):
    """Which fixes wait because the code would not compile with them either.

    Args:
        fixes: the other finding that a fix waits for (``TS101 at line 8``), by the ``id`` of its own finding.
        safe_may_wait: whether safe fixes, which are not in ``fixes``, may wait, too.
    """

    fixes: Mapping[int, str]
    safe_may_wait: bool


def waiting(report: Report, *, unsafe: bool) -> Waiting:
    """Return which fixes of a report would wait.

    Neither texts nor edits are read, so that a report takes no longer: each fix is taken as a change of the function
    that contains its finding. Safe fixes only wait if they write code for the compiler alone, which is not known here.

    Args:
        report: all findings.
        unsafe: whether unsafe fixes are wanted; then safe ones wait, too, whatever they are.
    """
    found = _blocked(report, unsafe=True)
    if unsafe:
        return Waiting(found, safe_may_wait=False)
    safe = {id(each) for each in report.diagnostics if each.fix and each.fix.applicability is Applicability.SAFE}
    safe_may_wait = bool(safe) and bool(_blocked(report, unsafe=False))
    return Waiting({key: why for key, why in found.items() if key not in safe}, safe_may_wait)


def _blocked(report: Report, *, unsafe: bool) -> dict[int, str]:
    wanted = [each for each in report.diagnostics if fixable(each, unsafe)]
    found = useless(report, wanted, (), shallow=True)
    return {id(each): found[id(each)].obstacle.seen_from(each.filename) for each in wanted if id(each) in found}
