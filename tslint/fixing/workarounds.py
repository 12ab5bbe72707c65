"""Fixes that serve the compiler alone: what a person would not write unless the code compiles with it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from tslint.diagnostics import CallStep, Diagnostic, Position, Severity, Stage
from tslint.fixing.edits import changes
from tslint.lint.engine import Report
from tslint.sources.file import SourceFile

# A branch for compiled code, or an error that Python raises by itself.
_MARKS = re.compile(r"\bis_scripting\(\)|\braise\b|\bassert (?:hasattr\(|\w+(?:\.\w+)+ is not None)")


class Unit(NamedTuple):
    """A class, or a function outside of classes, that is compiled as a whole."""

    filename: str
    name: str


def is_workaround(source: SourceFile, finding: Diagnostic) -> bool:
    """Whether what a fix adds to a text does nothing but suit the compiler."""
    fix = finding.fix
    return fix is not None and any(
        len(_MARKS.findall(each.content)) > len(_MARKS.findall(source.text, each.start, each.end))
        for each in changes(source, fix)
    )


def unit(finding: Diagnostic) -> Unit | None:
    """What holds a finding; None for one outside of compiled code."""
    return _unit(finding.holder) if finding.holder is not None else None


def serves(source: SourceFile, finding: Diagnostic) -> Unit | None:
    """What a workaround is to make compile; None for another fix."""
    return unit(finding) if is_workaround(source, finding) else None


def in_vain(served: Unit, obstacle: str) -> str:
    """Why a workaround is left out, in words."""
    return f"`{served.name}` would not compile with it either ({obstacle})"


def uncompiled(report: Report, left: Iterable[Diagnostic]) -> dict[Unit, list[Diagnostic]]:
    """What does not compile for some errors, and these.

    Args:
        report: what was found.
        left: those of its findings that no fix will take away.
    """
    found: dict[Unit, list[Diagnostic]] = {}
    for each in left:
        if each.severity is Severity.ERROR and each.stage is Stage.SCRIPT and each.filename in report.sources:
            for at in {_unit(step) for step in each.compiled_via}:
                found.setdefault(at, []).append(each)
    return found


def useless(report: Report, fixable: Iterable[Diagnostic]) -> dict[int, Diagnostic]:
    """The workarounds that would not make anything compile, by identity, with what stays in the way of each."""
    wanted = {id(each): each for each in fixable}
    waiting = {key: each for key, each in wanted.items() if is_workaround(report.sources[each.filename], each)}
    found: dict[int, Diagnostic] = {}
    while waiting:
        places = _places(wanted.values())
        left = [each for each in report.diagnostics if id(each) not in wanted and not _is_in(places, each)]
        failing = uncompiled(report, left)
        blocked = {key: failing[at][0] for key, each in waiting.items() if (at := unit(each)) and at in failing}
        if not blocked:
            break
        found.update(blocked)
        for key in blocked:
            del waiting[key], wanted[key]
    return found


_Places = dict[str, list[tuple[Position, Position]]]


def _places(findings: Iterable[Diagnostic]) -> _Places:
    """By file, what findings and their fixes span, in order and without overlap."""
    found: _Places = {}
    for each in findings:
        spans = found.setdefault(each.filename, [])
        spans.append((each.start, each.end))
        spans += [(edit.start, edit.end) for edit in (each.fix.edits if each.fix is not None else ())]
    for filename, spans in found.items():
        joined: list[tuple[Position, Position]] = []
        for start, end in sorted(spans):
            if joined and start <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        found[filename] = joined
    return found


def _is_in(places: _Places, finding: Diagnostic) -> bool:
    """Whether a finding stands where a fix of another one writes anew."""
    spans = places.get(finding.filename, [])
    at = bisect_right(spans, finding.start, key=lambda span: span[0]) - 1
    return at >= 0 and finding.start < spans[at][1]


def _unit(step: CallStep) -> Unit:
    owner, _, function = step.name.rpartition(".")
    return Unit(step.filename, owner or function)
