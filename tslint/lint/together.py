"""Merges the findings of groups of files that were analysed separately, as if all had been analysed together.

The groups are in the order in which one run would analyse them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tslint.diagnostics import Diagnostic, Position, Severity

if TYPE_CHECKING:
    from tslint.script.evidence import Claim, Evidence

FindingKey = tuple[str, Position, Position]


@dataclass
class Piece:
    """What the analysis of one group of files has found in one file; a file may be in several groups.

    Args:
        findings: the findings.
        claims: what they rely on, by code and range.
        evidence: what the group knows about the functions in the file.
    """

    findings: Sequence[Diagnostic] = ()
    claims: Mapping[FindingKey, Claim] = field(default_factory=dict)
    evidence: Evidence | None = None


def together(pieces: Sequence[Piece]) -> list[Diagnostic]:
    """Return the findings in a file, only one for each code and range: the most severe one; of equally severe ones, one
    with a shorter call path.
    """
    if len(pieces) == 1:
        return list(pieces[0].findings)
    from tslint.script.evidence import Evidence

    known = Evidence()
    for piece in pieces:
        if piece.evidence is not None:
            known.add(piece.evidence)
    found: dict[FindingKey, Diagnostic] = {}
    for piece in pieces:
        for each in piece.findings:
            key = finding_key(each)
            claim = piece.claims.get(key)
            kept = each if claim is None else _confirmed(each, claim, known)
            if kept is not None:
                found[key] = _better(found[key], kept) if key in found else kept
    return list(found.values())


def finding_key(finding: Diagnostic) -> FindingKey:
    """Return the code and the range of a finding: a file has only one finding for each."""
    return finding.code, finding.start, finding.end


def _confirmed(finding: Diagnostic, claim: Claim, known: Evidence) -> Diagnostic | None:
    """Return a finding, changed to what all groups together show; None if it is not valid."""
    if claim.uncalled and claim.receiver in known.excused.get(claim.event, ()):
        return None
    if claim.parameter:
        names = {f"{claim.receiver}.*", f"{claim.receiver}.{claim.parameter}"}
        return finding if names.isdisjoint(known.accepted.get(claim.event[0], ())) else None
    of_some = len(known.seen.get(claim.event, ())) < len(known.classes.get(claim.event[0], ()))
    if (claim.dropped and of_some) or claim.attribute in known.inherited.get(claim.receiver, ()):
        return None
    if not of_some or not claim.name:
        return finding
    severity = Severity.WARNING if finding.severity is Severity.ERROR else finding.severity
    if finding.condition is not None:
        return replace(finding, severity=severity)
    from tslint.rulekit.wording import with_condition
    from tslint.script.assumptions import of_class

    condition = of_class(claim.name)
    message, help = with_condition(finding.message, finding.help, condition)
    # The fix was made for every construction, not for this condition.
    return replace(finding, message=message, help=help, severity=severity, condition=condition, fix=None)


def _better(first: Diagnostic, second: Diagnostic) -> Diagnostic:
    """Return the more severe of two findings at the same position; if that is the second, and it has no fix, with the
    fix of the first. Of equally severe ones, return the first, unless the second has a shorter call path.
    """
    if first.severity.rank != second.severity.rank:
        better, other = (second, first) if first.severity.rank < second.severity.rank else (first, second)
        return better if better is first else replace(better, fix=better.fix or other.fix)
    ways = [[(step.name, step.filename, step.position) for step in each.compiled_via] for each in (first, second)]
    # The same function may be reached along a shorter path in a later group.
    shorter = bool(ways[0]) and ways[0][-1:] == ways[1][-1:] and len(ways[1]) < len(ways[0])
    return second if shorter else first
