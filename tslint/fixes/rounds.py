"""Fixes and checks by turns until nothing changes; every text on the way can be parsed."""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tslint.diagnostics import Applicability, Diagnostic, Fix
from tslint.engine import Loaded, Report
from tslint.fixes.edits import Applied, apply_fixes
from tslint.sources.file import SourceFile

ROUNDS = 20


@dataclass(frozen=True)
class Outcome:
    """What fixing came to.

    Args:
        report: what remains.
        changed: each changed file, before and after.
        fixed: how many findings were fixed in each file, by its name.
        notes: what was not done, one line each.
    """

    report: Report
    changed: tuple[tuple[SourceFile, SourceFile], ...]
    fixed: Counter[str]
    notes: tuple[str, ...]


def fixable(diagnostic: Diagnostic, unsafe: bool) -> bool:
    """Whether a finding's fix would be applied; one with a placeholder never is."""
    if diagnostic.fix is None:
        return False
    return diagnostic.fix.applicability is Applicability.SAFE or (
        unsafe and diagnostic.fix.applicability is Applicability.UNSAFE
    )


def fix(loaded: Loaded, judge: Callable[[Loaded], Report], *, unsafe: bool) -> Outcome:
    """Apply fixes in memory until none is left.

    Args:
        loaded: the files as they are.
        judge: finds what there is to fix; called once more than texts change.
        unsafe: apply unsafe fixes too.
    """
    before = {str(source.path): source for source in loaded.sources}
    fixed: Counter[str] = Counter()
    notes: dict[str, None] = {}
    report = judge(loaded)
    for turn in range(ROUNDS + 1):
        wanted: dict[str, list[Diagnostic]] = {}
        for diagnostic in report.diagnostics:
            if fixable(diagnostic, unsafe) and diagnostic.filename in report.sources:
                wanted.setdefault(diagnostic.filename, []).append(diagnostic)
        new: dict[str, SourceFile] = {}
        for filename, diagnostics in wanted.items():
            source = report.sources[filename]
            applied = _apply(source, diagnostics, notes)
            if applied.text == source.text:
                continue
            if turn == ROUNDS:
                codes = ", ".join(sorted({each.code for each in diagnostics}))
                notes[f"{filename}: fixes of {codes} go round in circles; stopped after {ROUNDS} rounds"] = None
                continue
            new[filename] = replace(source, text=applied.text)
            done = {id(each) for each in applied.fixes}
            fixed[filename] += sum(id(each.fix) in done for each in diagnostics)
        if not new:
            break
        loaded = replace(loaded, sources=tuple(new.get(str(each.path), each) for each in loaded.sources))
        report = judge(loaded)
    changed = [
        (before[str(source.path)], source) for source in loaded.sources if source.text != before[str(source.path)].text
    ]
    return Outcome(report, tuple(changed), fixed, tuple(notes))


def _apply(source: SourceFile, diagnostics: Sequence[Diagnostic], notes: dict[str, None]) -> Applied:
    """Apply a round's fixes; where that would break the file, leave out those that do."""
    fixes = [each.fix for each in diagnostics if each.fix is not None]
    applied = apply_fixes(source, fixes)
    codes = {id(each.fix): each.code for each in diagnostics}
    for fix in applied.invalid:
        notes[_dropped(source, codes[id(fix)], "its edits contradict each other")] = None
    if _sound(source, applied.text):
        return applied
    good: list[Fix] = []
    for fix in applied.fixes:
        if _sound(source, apply_fixes(source, [*good, fix]).text):
            good.append(fix)
        else:
            notes[_dropped(source, codes[id(fix)], "the result could not be parsed or encoded")] = None
    return apply_fixes(source, good)


def _dropped(source: SourceFile, code: str, reason: str) -> str:
    return f"{source.path}: a fix of {code} was left out: {reason}; please report it"


def _sound(source: SourceFile, text: str) -> bool:
    try:
        replace(source, text=text).encode()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
