"""Judges fixes that only help the compiler, and are useful only if the code then compiles."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from tslint.config import shown
from tslint.diagnostics import Applicability, Diagnostic, Position, Severity, Stage
from tslint.fixing.edits import Change, changes, replaced
from tslint.fixing.scopes import innermost, written
from tslint.fixing.trees import tree_of
from tslint.lint.engine import Report
from tslint.lint.rule_findings import REFUSED
from tslint.script.dataflow.opaque_objects import opaque_object
from tslint.script.refusals import FRESH, Refusal, Scope
from tslint.sources.file import SourceFile

# Workarounds write one of these: a branch for compiled code; an exception; a declaration for the compiler; a decorator
# that leaves code to Python; a new loop or block, or a loop over several lists; `int(…)`; another form of a call; the
# mangled name of an attribute.
_MARKS = re.compile(
    r"(?m)\bis_scripting\(\)|\braise\b|\bassert (?:hasattr\(|\w+(?:\.\w+)* is not None)|\b__constants__\b|@torch\.jit\."
    r"|[\w)](?<!\btry)(?<!\belse)(?<!\bfinally): \w[\w.]*(?:\[|[,)\s]|$)|->[^:\n]*"
    r"|^[ \t]*(?:for|with)\b|\b(?:enumerate|zip|int)\(|\bdef \w+|\._[A-Za-z]\w*?__\w|\bis not None else\b"
)


class Unit(NamedTuple):
    """A function, a method, or a class whose methods are compiled together."""

    filename: str
    name: str


class Obstacle(NamedTuple):
    """Why code does not compile: the code, row and file of a finding, or a description."""

    what: str
    row: int | None = None
    filename: str = ""

    @classmethod
    def of(cls, finding: Diagnostic) -> Obstacle:
        """Return a finding as an obstacle."""
        return cls(finding.code, finding.start.row, finding.filename)

    def seen_from(self, filename: str) -> str:
        """Return a text such as ``TS101 at line 8``, or ``TS101 at ops.py:8`` if it is not in the given file."""
        if self.row is None:
            return self.what
        place = f"line {self.row}" if self.filename == filename else f"{shown(Path(self.filename))}:{self.row}"
        return f"{self.what} at {place}"


def serves(source: SourceFile, finding: Diagnostic) -> frozenset[Unit]:
    """Return the functions that a fix changes only for the compiler: they have to compile afterwards.

    Return nothing for other fixes. All unsafe fixes are of this kind: code that still does not compile is not worth a
    risk.
    """
    if finding.fix is None:
        return frozenset()
    if finding.fix.applicability is not Applicability.UNSAFE:
        rows = _rows(source.text, changes(source, finding.fix))
        if not any(_marks(new) - _marks(old) for old, new in rows):
            return frozenset()
    return _changed(source, finding)


def _changed(source: SourceFile, finding: Diagnostic) -> frozenset[Unit]:
    around = {unit for path, name in written(source, finding) for unit in _units(str(path), name)}
    return frozenset(around) or _held(finding)


def _held(finding: Diagnostic) -> frozenset[Unit]:
    """Return the class of the method that contains a finding, or the function."""
    return frozenset([_unit(finding.holder.filename, finding.holder.name)] if finding.holder else ())


def served(source: SourceFile, finding: Diagnostic, unsafe: bool) -> frozenset[Unit]:
    """Return the functions that have to compile after all fixes of a run: those that the finding's fix changes,
    whatever it writes.

    Whether they compile is only known at the end, because other fixes may remove the errors that come after the fixed
    one. If only safe fixes are applied, a person decides about the remaining errors, so these are only the functions
    that :func:`serves` returns.

    Args:
        source, finding: the finding and its file.
        unsafe: whether the run applies unsafe fixes.
    """
    return _changed(source, finding) if unsafe and finding.fix is not None else serves(source, finding)


def _marks(text: str) -> Counter[str]:
    return Counter(each.strip() for each in _MARKS.findall(text))


def _rows(text: str, done: Iterable[Change]) -> Iterator[tuple[str, str]]:
    """Yield the texts of the rows that changes touch, before and after; changes in one row are taken together."""
    together: list[list[Change]] = []
    for each in done:
        if together and "\n" not in text[together[-1][-1].end : each.start]:
            together[-1].append(each)
        else:
            together.append([each])
    for group in together:
        start, end = text.rfind("\n", 0, group[0].start) + 1, text.find("\n", group[-1].end)
        old = text[start : end if end >= 0 else len(text)]
        yield old, replaced(old, [replace(each, start=each.start - start, end=each.end - start) for each in group])


def in_vain(served: Unit, obstacle: str) -> str:
    """Explain why a workaround is left out."""
    return f"`{served.name}` would not compile with it either ({obstacle})"


class InVain(NamedTuple):
    """A function that does not compile even with a fix, and why."""

    unit: Unit
    obstacle: Obstacle


class Failures:
    """The functions and classes of a report that do not compile if given findings of the report stay.

    Args:
        report: all findings.
        refused: the roots that the compiler rejects, because of these findings or others.
        shallow: whether to read no texts: a finding is then in the last function of its call path.
    """

    def __init__(
        self, report: Report, refused: Mapping[Scope, Refusal] = MappingProxyType({}), *, shallow: bool = False
    ) -> None:
        self._refused = refused
        self._sources = {} if shallow else report.sources
        self._errors: dict[int, frozenset[Unit]] = {}
        self._conditional: dict[int, frozenset[Unit]] = {}
        known = [each for each in report.diagnostics if shallow or each.filename in report.sources]
        errors = [each for each in known if _is_error(each)]
        conditional = [each for each in known if _is_conditional(each)]
        files = () if shallow else {each.filename for each in errors + conditional}
        around = {name: innermost(report.sources[name]) for name in files}

        def own(finding: Diagnostic) -> Iterable[Unit]:
            if shallow:
                return _held(finding)
            return (Unit(str(path), name) for path, name in around[finding.filename]([finding.start.row]))

        for each in errors:  # subclasses compile the methods that they inherit
            units = {*own(each), *(_unit(step.filename, step.name) for step in each.compiled_via)}
            self._errors[id(each)] = frozenset(units)
        for each in conditional:
            self._conditional[id(each)] = frozenset(own(each))

    def obstacles(self, left: Collection[Diagnostic]) -> Callable[[Collection[Unit], Diagnostic], InVain | None]:
        """Return a function that finds an obstacle. It takes functions and a finding, and returns one of the functions
        that does not compile under the finding's condition, with the reason; None if all compile. For a finding about
        saving, it also finds a function that cannot be saved.

        Args:
            left: the findings that no fix will remove.
        """
        always: dict[Unit, list[Obstacle]] = {}
        unsaved: dict[Unit, list[Obstacle]] = {}
        sometimes: dict[tuple[Unit, str], list[Obstacle]] = {}
        for each in left:
            for at in self._errors.get(id(each), ()):
                found = unsaved if each.stage is Stage.SAVE else always
                found.setdefault(at, []).append(Obstacle.of(each))
            for at in self._conditional.get(id(each), ()):
                sometimes.setdefault((at, each.condition or ""), []).append(Obstacle.of(each))
        for at, whys in _through_others(left, self._refused):
            always.setdefault(at, whys)

        def first(units: Collection[Unit], fixed: Diagnostic) -> InVain | None:
            saved = unsaved if fixed.stage is Stage.SAVE else {}
            found = [
                (at, self._opaque(at) or always.get(at) or sometimes.get((at, fixed.condition or "")) or saved.get(at))
                for at in sorted(units)
            ]
            return next((InVain(at, whys[0]) for at, whys in reversed(found) if whys), None)

        return first

    def _opaque(self, unit: Unit) -> list[Obstacle]:
        """Return why a class seems not to compile although no finding says so."""
        source = self._sources.get(unit.filename)
        why = _opaque(source.text, unit.name) if source is not None else ""
        return [Obstacle(why)] if why else []


def _is_error(finding: Diagnostic) -> bool:
    """Return whether a finding keeps functions from being scripted, or saved."""
    grave = finding.severity is Severity.ERROR and finding.stage in (Stage.SCRIPT, Stage.SAVE)
    return grave and bool(finding.compiled_via)


def _is_conditional(finding: Diagnostic) -> bool:
    return finding.condition is not None and finding.code.startswith(REFUSED)


def _is_certain(finding: Diagnostic) -> bool:
    """Return whether a finding prevents compilation: always, or at least for a module that has not run yet."""
    fresh = finding.condition == FRESH and finding.code.startswith(REFUSED)
    return finding.stage is Stage.SCRIPT and (finding.severity is Severity.ERROR or fresh)


def _through_others(
    left: Iterable[Diagnostic], refused: Mapping[Scope, Refusal]
) -> Iterator[tuple[Unit, list[Obstacle]]]:
    """Yield the roots that do not compile because of a finding in a function or module that they use, with the reason.

    A finding contains only one call path. Other roots that reach its function are known from their refusals.
    """
    wrong: dict[Scope, Obstacle] = {}
    for each in left if refused else ():
        if each.holder is not None and _is_certain(each):
            wrong.setdefault((Path(each.holder.filename), each.holder.name), Obstacle.of(each))
    for (path, name), refusal in refused.items():
        whys = [wrong[scope] for scope in sorted(refusal.through) if scope in wrong] if refusal.filled else []
        if whys:
            yield Unit(str(path), name), whys


@lru_cache(maxsize=1024)
def _opaque(text: str, name: str) -> str:
    try:
        return opaque_object(tree_of(text), name)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def useless(
    report: Report, fixable: Iterable[Diagnostic], later: Iterable[Diagnostic], *, shallow: bool = False
) -> dict[int, InVain]:
    """Return the fixes after which nothing more would compile, by the ``id`` of their findings.

    Args:
        report: all findings.
        fixable: the findings that can be fixed now.
        later: the findings that may be fixed afterwards.
        shallow: whether to read neither texts nor edits, and to take each fix as one that has to make code compile.
    """
    wanted, later_ones = {id(each): each for each in fixable}, {id(each) for each in later}
    found_units = {
        key: _held(each) if shallow else serves(report.sources[each.filename], each) for key, each in wanted.items()
    }
    waiting = {key: units for key, units in found_units.items() if units}
    found: dict[int, InVain] = {}
    failures = Failures(report, shallow=shallow) if waiting else None
    while failures and waiting:
        places, bypassed = _places(wanted.values()), _bypassed(wanted.values())
        annotated = {(each.filename, each.fix.annotates) for each in wanted.values() if each.fix and each.fix.annotates}
        left = [
            each
            for each in report.diagnostics
            if id(each) not in wanted and id(each) not in later_ones and not _is_in(places, each)
            if bypassed.isdisjoint((step.filename, step.name) for step in each.compiled_via)
            # Whether it disappears with the annotation is only known in the next round.
            if annotated.isdisjoint((each.filename, name) for name in each.rests_on)
        ]
        failing = failures.obstacles(left)
        blocked = {}
        for key, units in waiting.items():
            if found_one := failing(units, wanted[key]):
                blocked[key] = found_one
        if not blocked:
            break
        found.update(blocked)
        for key in blocked:
            del waiting[key], wanted[key]
    return found


def _bypassed(findings: Iterable[Diagnostic]) -> set[tuple[str, str]]:
    """Return the functions that compiled code may no longer call after the fixes of findings, with their files.

    If compiled code still calls such a function elsewhere, its errors are found at the end.
    """
    return {(each.filename, each.fix.bypasses) for each in findings if each.fix is not None and each.fix.bypasses}


_Places = dict[str, list[tuple[Position, Position]]]


def _places(findings: Iterable[Diagnostic]) -> _Places:
    """Return, by file, the ranges of findings and their fixes, in order and without overlap."""
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
    """Return whether a finding is inside code that another finding's fix replaces."""
    spans = places.get(finding.filename, [])
    at = bisect_right(spans, finding.start, key=lambda span: span[0]) - 1
    return at >= 0 and finding.start < spans[at][1]


def _units(filename: str, name: str) -> Iterator[Unit]:
    """Yield a function; for a method, also its class."""
    yield Unit(filename, name)
    yield _unit(filename, name)


def _unit(filename: str, name: str) -> Unit:
    owner, _, function = name.rpartition(".")
    return Unit(filename, owner or function)
