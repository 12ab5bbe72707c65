"""Fixes that serve the compiler alone: what a person would not write unless the code compiles with it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from tslint.diagnostics import CallStep, Diagnostic, Severity, Stage
from tslint.fixing.edits import changes
from tslint.lint.engine import Report
from tslint.sources.file import SourceFile

# A branch for compiled code, or an error that Python raises by itself.
_MARKS = re.compile(r"\bis_scripting\(\)|\braise\b")


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
    return _unit(finding.compiled_via[-1]) if finding.compiled_via else None


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
    left = [each for each in report.diagnostics if id(each) not in wanted]
    found: dict[int, Diagnostic] = {}
    while waiting:
        failing = uncompiled(report, left)
        blocked: dict[int, Diagnostic] = {}
        for key, each in waiting.items():
            at = unit(each)
            obstacles = [other for other in failing.get(at, ()) if not _covers(each, other)] if at else []
            if obstacles:
                blocked[key] = obstacles[0]
        if not blocked:
            break
        found.update(blocked)
        left += [waiting.pop(key) for key in blocked]
    return found


def _covers(finding: Diagnostic, other: Diagnostic) -> bool:
    """Whether the fix of one finding writes the place of another one anew."""
    if finding.filename != other.filename or finding.fix is None:
        return False
    places = [(finding.start, finding.end), *((edit.start, edit.end) for edit in finding.fix.edits)]
    return any(start <= other.start < end for start, end in places)


def _unit(step: CallStep) -> Unit:
    owner, _, function = step.name.rpartition(".")
    return Unit(step.filename, owner or function)
