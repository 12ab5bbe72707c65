"""Fixes that serve the compiler alone: what a person would not write unless the code compiles with it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from tslint.diagnostics import CallStep, Diagnostic, Position, Severity, Stage
from tslint.fixing.edits import changes
from tslint.fixing.scopes import written
from tslint.lint.engine import Report
from tslint.sources.file import SourceFile

# A branch for compiled code, or an error that Python raises by itself.
_MARKS = re.compile(r"\bis_scripting\(\)|\braise\b|\bassert (?:hasattr\(|\w+(?:\.\w+)+ is not None)")
# What is declared to the compiler, what is left to Python, and a loop or block where there was none.
_DECLARED = re.compile(
    r"(?m)^: |[\w)]: \w[\w.]*(?:\[|[,)\s]|$)|-> |\b__constants__\b|@torch\.jit\.|^[ \t]*(?:for|with)\b"
    r"|\bassert \w+ is not None"
)


class Unit(NamedTuple):
    """A function, or a class whose methods are compiled together."""

    filename: str
    name: str


def is_workaround(source: SourceFile, finding: Diagnostic) -> bool:
    """Whether what a fix adds to a text is a form that the compiler alone needs."""
    return _adds(source, finding, _MARKS)


def serves(source: SourceFile, finding: Diagnostic) -> frozenset[Unit]:
    """What has to compile with a fix that serves the compiler alone; nothing for another fix.

    A workaround serves the whole class. What is only declared is of use as soon as the functions that it is written
    into compile.
    """
    if finding.fix is not None and finding.holder is not None and is_workaround(source, finding):
        return frozenset([_owner(finding.holder)])
    if _adds(source, finding, _DECLARED):
        return frozenset(Unit(str(path), name) for path, name in written(source, finding))
    return frozenset()


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
            for at in {unit for step in each.compiled_via for unit in (_owner(step), Unit(step.filename, step.name))}:
                found.setdefault(at, []).append(each)
    return found


class InVain(NamedTuple):
    """What would not compile with a fix either, and why."""

    unit: Unit
    obstacle: Diagnostic


def useless(report: Report, fixable: Iterable[Diagnostic], later: Iterable[Diagnostic]) -> dict[int, InVain]:
    """The fixes for the compiler alone that would not make anything compile, by identity.

    Args:
        report: what was found.
        fixable: those of its findings that can be fixed now.
        later: those that may be fixed once these are.
    """
    wanted, later_ones = {id(each): each for each in fixable}, {id(each) for each in later}
    waiting = {key: units for key, each in wanted.items() if (units := serves(report.sources[each.filename], each))}
    found: dict[int, InVain] = {}
    while waiting:
        places = _places(wanted.values())
        left = [
            each
            for each in report.diagnostics
            if id(each) not in wanted and id(each) not in later_ones and not _is_in(places, each)
        ]
        failing = uncompiled(report, left)
        blocked = {
            key: InVain(at, failing[at][0]) for key, units in waiting.items() for at in sorted(units) if at in failing
        }
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


def _adds(source: SourceFile, finding: Diagnostic, marks: re.Pattern[str]) -> bool:
    """Whether a text has more of some marks with a fix than without."""
    return finding.fix is not None and any(
        len(marks.findall(each.content)) > len(marks.findall(source.text, each.start, each.end))
        for each in changes(source, finding.fix)
    )


def _owner(step: CallStep) -> Unit:
    owner, _, function = step.name.rpartition(".")
    return Unit(step.filename, owner or function)
