"""Checks the files of a run again while fixes change them, with as little work as possible."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tslint.config import Settings
from tslint.diagnostics import Diagnostic, Risk
from tslint.lint import engine
from tslint.lint.engine import Loaded, Raw, Report
from tslint.lint.narrowing import NO_PARTS, Part, part_of
from tslint.lint.selection import Selection
from tslint.project.impact import Impact, closure, deciding, role
from tslint.project.import_graph import imported_by
from tslint.script.dataflow.absent_attributes import looks_for
from tslint.script.dataflow.caught import catches_changed
from tslint.script.dataflow.constants import gives_value
from tslint.script.dataflow.other_files import is_set_elsewhere
from tslint.script.refusals import Refusal, Scope
from tslint.sources.file import SourceFile
from tslint.util.process_pool import collect

Key = TypeVar("Key")
Value = TypeVar("Value")


class Group(NamedTuple):
    """Files that depend on each other, and on no other file of the run.

    Args:
        files: the path and the text of each file; and whether its findings are wanted, or for which definitions.
        deciding: the files of the run that decide what is only traced, with their texts.
    """

    files: tuple[tuple[Path, str, bool | frozenset[str]], ...]
    deciding: tuple[tuple[Path, str], ...]


class State(NamedTuple):
    """What is known of one text of a file.

    Args:
        source: the file.
        raw: its findings.
        refused: its roots that the compiler rejects.
        rows: the rows of compiled functions.
        lines: the hashes of its lines.
    """

    source: SourceFile
    raw: tuple[Diagnostic, ...]
    refused: Mapping[str, Refusal]
    rows: frozenset[int]
    lines: frozenset[int]

    def distance(self, lines: frozenset[int]) -> int:
        """Return how many lines differ from those of another text."""
        return len(lines ^ self.lines)


_STATES = 6  # how many texts of a file to remember


class Judge:
    """Returns the findings of files, and remembers them for the next call.

    When a file changes, all files that may compile differently are analysed again (see
    :class:`tslint.project.impact.Impact`). Of the file itself, only the definitions that may compile differently are
    analysed (see :mod:`tslint.lint.narrowing`). New findings elsewhere are added; :meth:`settle` removes those that are
    no longer valid.

    Args:
        settings: the settings of the run.
        context: other files, which are not reported on, but may compile code of the judged files.
        unsaved: files whose text differed from the one on disk before anything changed.

    Raises:
        ConfigError: the settings name an unknown rule.
    """

    def __init__(
        self, settings: Settings, context: Sequence[SourceFile] = (), *, unsaved: Collection[Path] = ()
    ) -> None:
        self.settings = settings
        self._context = tuple(context)
        self._unsaved = frozenset(unsaved)
        self._selection = Selection(settings)
        self._first: dict[Path, SourceFile] = {}
        self._caught: frozenset[Path] | None = None
        self._now: dict[Path, SourceFile] = {}
        self._raw: dict[Path, tuple[Diagnostic, ...]] = {}
        self._compiled: dict[Path, frozenset[int]] | None = None
        self._imports: dict[Path, frozenset[Path]] = {}
        self._roles: dict[Path, int] = {}
        self._tracing_known = False
        self._refused: dict[Path, Mapping[str, Refusal]] = {}
        self._kept: dict[Path, tuple[Diagnostic, ...]] = {}
        # The results for earlier texts, to which a run of fixes may return; copies of the judge share them.
        self._known: _Shared[Group, Raw] = _Shared()
        self._states: _Shared[Path, list[State]] = _Shared()
        # Files whose findings may be outdated: a file that reads them, or only a part of them, was analysed again.
        self._stale: set[Path] = set()

    def copy(self) -> Judge:
        """Return an independent copy."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, (dict, set)):
                setattr(other, name, copy(value))
        return other

    @property
    def refused(self) -> dict[Scope, Refusal]:
        """Return the roots that the compiler would reject in the current files."""
        return {(path, name): each for path, roots in self._refused.items() for name, each in roots.items()}

    def __call__(self, loaded: Loaded) -> Report:
        """Return the findings of files, some of which may have changed since the last call.

        A finding that is no longer valid may remain in a file that is not analysed again; :meth:`settle` removes it.
        """
        named, loaded = loaded, self._whole(loaded)
        changed = {source.path for source in loaded.sources if self._changes(source)}
        if not self._first:
            self._first = {source.path: source for source in loaded.sources}
            self._take_roles(loaded, changed)
            self._judge(loaded, changed)
        elif changed:
            self._take_roles(loaded, changed)
            known = self._tracing_known
            judged = self._rejudge(loaded, changed, self._parts(loaded, changed))
            if self._tracing_known != known:
                changed |= deciding(self._roles)
                judged = self._rejudge(loaded, changed, {})
            # With entry points, everything that they reach is compiled each time, so all findings are up to date.
            self._stale.update(() if self.settings.entry_points else self._impact().affected(changed))
            self._stale.difference_update(judged)
        return self._report(named)

    def _rejudge(self, loaded: Loaded, changed: Collection[Path], parts: Mapping[Path, Part]) -> Collection[Path]:
        """Analyse all files that may compile differently, and return the paths of those that were analysed whole."""
        impact = self._impact()
        judged = impact.compiled(impact.dependents(changed))
        self._judge(loaded, judged, parts)
        return judged.keys() - parts.keys()

    def _parts(self, loaded: Loaded, changed: Collection[Path]) -> dict[Path, Part]:
        """Return the parts of changed files that have to be analysed, by file. Files that have to be analysed whole are
        left out.
        """
        found: dict[Path, Part] = {}
        # If the analysis begins at entry points or at calls of the tracer, a changed definition cannot be analysed
        # alone.
        if self.settings.entry_points or self.settings.mode == "trace":
            return found
        for source in loaded.sources:
            if source.path in changed and all(
                path == source.path or path not in changed for path in closure([source.path], self._imports)
            ):
                self._return_to_similar(source)
                part = part_of(self._now[source.path], source, self._raw[source.path])
                if part is not None:
                    found[source.path] = part
        return found

    def _return_to_similar(self, source: SourceFile) -> None:
        """Go back to the most similar text of a file: when a run of fixes begins again, most is known already.

        The findings that this text causes in other files would be missing. So this is only done for a file that imports
        no other file of the run, and does not decide what is only traced.
        """
        path = source.path
        states = self._states.get(path, ())
        alone = closure([path], self._imports).keys() & self._now.keys() == {path}
        if states and self._compiled is not None and alone and path not in deciding(self._roles):
            lines = _hashes(source)
            nearest = min(states, key=lambda each: each.distance(lines))
            self._now[path], self._raw[path], self._refused[path] = nearest.source, nearest.raw, nearest.refused
            self._compiled = {**self._compiled, path: nearest.rows}

    def settle(self, loaded: Loaded) -> Report:
        """Return the same findings as if all files had been analysed again."""
        if self._stale:
            self._judge(self._whole(loaded), self._impact().compiled(self._stale))
        self._stale = set()
        return self._report(loaded)

    def _whole(self, loaded: Loaded) -> Loaded:
        return replace(loaded, sources=(*loaded.sources, *self._context)) if self._context else loaded

    def _changes(self, source: SourceFile) -> bool:
        known = self._now.get(source.path)
        return known is None or known.text != source.text

    def _judge(self, loaded: Loaded, paths: Collection[Path], parts: Mapping[Path, Part] = NO_PARTS) -> None:
        """Analyse the files with the given paths, together with all files that compile them; add new findings in other
        files.

        Args:
            loaded: the files.
            paths: the paths of the files to analyse.
            parts: the part to analyse, for files of which only a part is analysed.
        """
        self._now = {source.path: source for source in loaded.sources}
        groups = self._groups(paths, parts)
        known = {group: self._known[group] for group in groups if group in self._known}
        new = {path for group in groups if group not in known for path, _, judged in group.files if judged}
        if new:
            found = self._analysed(loaded, new, {path: part.names for path, part in parts.items()})
            known |= self._remember(found, [group for group in groups if group not in known])
            self._tracing_known = found.tracing_known
        findings, compiled, imports, refused = _together(known.values())
        collect()
        whole = {path for path in paths if path not in parts}
        for path in paths:
            refusals = refused.get(path, {})
            self._refused[path] = refusals if path in whole else parts[path].refused(self._refused[path], refusals)
        rows = dict(self._compiled or {})
        for path in parts:
            self._raw[path] = parts[path].kept
            rows[path] = parts[path].rows(rows[path])
        for path, diagnostics in findings.items():
            self._raw[path] = tuple(diagnostics) if path in whole else _merged(self._raw.get(path, ()), diagnostics)
        for path in {*compiled, *paths}:
            now = frozenset(compiled.get(path, ()))
            rows[path] = now if path in whole else rows.get(path, frozenset()) | now
        self._compiled = rows
        for path, targets in imports.items():
            self._imports[path] = self._imports.get(path, frozenset()) | frozenset(targets)
        for path in {*findings, *paths}:
            self._kept.pop(path, None)
        for path in self._now.keys() & paths:
            source = self._now[path]
            state = State(source, self._raw.get(path, ()), self._refused[path], rows[path], _hashes(source))
            self._states[path] = [*self._states.get(path, [])[1 - _STATES :], state]

    def _analysed(self, loaded: Loaded, paths: Collection[Path], only: Mapping[Path, Collection[str]]) -> Raw:
        beside = deciding(self._roles).difference(paths)
        return engine.raw_findings(
            [self._now[path] for path in self._now if path in paths],
            self.settings,
            checked=frozenset(self._now),
            beside=[self._now[path] for path in self._now if path in beside],
            unsaved=[
                each
                for each in loaded.sources
                if each.path in self._unsaved or each.text != self._first[each.path].text
            ],
            verdicts=True,
            only=only,
        )

    def _groups(self, paths: Collection[Path], parts: Mapping[Path, Part]) -> list[Group]:
        """Return the files that are connected to the given files, in independent groups."""

        def wanted(path: Path) -> bool | frozenset[str]:
            return parts[path].names if path in parts else path in paths

        # Files that the deciding ones import take part in the decision.
        deciding_files = closure(sorted(deciding(self._roles)), self._imports)
        deciders = tuple((path, self._now[path].text) for path in deciding_files if path in self._now)
        if self.settings.entry_points or not self._raw:
            return [Group(tuple((path, each.text, wanted(path)) for path, each in self._now.items()), deciders)]
        neighbours: dict[Path, set[Path]] = {}
        for path, targets in self._imports.items():
            for target in targets:
                neighbours.setdefault(path, set()).add(target)
                neighbours.setdefault(target, set()).add(path)
        groups: list[Group] = []
        seen: set[Path] = set()
        for path in self._now:
            if path in paths and path not in seen:
                near = closure([path], neighbours)
                seen.update(near)
                files = tuple((each, at.text, wanted(each)) for each, at in self._now.items() if each in near)
                groups.append(Group(files, deciders))
        return groups

    def _remember(self, found: Raw, groups: Sequence[Group]) -> dict[Group, Raw]:
        """Store and return the results of each group; those about files outside the groups are part of each result."""
        own = {path: group for group in groups for path, _, _ in group.files}
        for group in groups:

            def parts(table: Mapping[Path, Any], group: Group = group) -> dict[Path, Any]:
                return {path: value for path, value in table.items() if own.get(path, group) is group}

            self._known[group] = Raw(
                parts(found.findings), parts(found.compiled or {}), parts(found.imports), parts(found.refused)
            )
        return {group: self._known[group] for group in groups}

    def _report(self, loaded: Loaded) -> Report:
        for source in loaded.sources:
            if source.path not in self._kept:
                rows = None if self._compiled is None else self._compiled.get(source.path, ())
                found = self._raw.get(source.path, ())
                found = tuple(self._beside_other_files(each) for each in found)
                self._kept[source.path] = engine.kept(source, found, rows, self.settings, self._selection)
        return engine.report(loaded, self._kept, self._selection)

    def _beside_other_files(self, finding: Diagnostic) -> Diagnostic:
        """Return a finding, without its fix if another file of the run may make the fix wrong: the file may test
        whether an attribute exists that the fix sets to None, set a name or an attribute on which the fix relies, or
        import the file and catch an exception that the fix changes.
        """
        fix = finding.fix
        if fix is None or not (fix.absent or fix.settled or fix.unset or Risk.EXCEPTION in fix.risks):
            return finding
        others = tuple(each.text for path, each in self._first.items() if str(path) != finding.filename)
        text = self._first[Path(finding.filename)].text
        seen = fix.absent and any(looks_for(each, fix.absent) for each in others)
        seen = seen or (fix.settled and any(gives_value(each, fix.settled) for each in others))
        seen = seen or any(is_set_elsewhere(text, others, name) for name in fix.unset)
        seen = seen or (Risk.EXCEPTION in fix.risks and self._is_caught(Path(finding.filename)))
        return replace(finding, fix=None) if seen else finding

    def _is_caught(self, path: Path) -> bool:
        """Return whether a file that imports the given one catches exceptions that fixes may change."""
        if self._caught is None:
            catching = (each for each, source in self._first.items() if catches_changed(source.text))
            self._caught = frozenset(imported_by(catching, self._first))
        return path in self._caught

    def _take_roles(self, loaded: Loaded, changed: Collection[Path]) -> None:
        for source in loaded.sources:
            if source.path in changed:
                # The earlier role counts, too: known findings may rely on it.
                self._roles[source.path] = max(role(source.text), self._roles.get(source.path, 0))

    def _impact(self) -> Impact[Path]:
        if self.settings.entry_points:
            # Files that entry points do not reach have only findings that need no compilation.
            found = [path for path, diagnostics in self._raw.items() if diagnostics]
            return Impact(self._imports, {*(self._compiled or ()), *found})
        return Impact(self._imports)


def _hashes(source: SourceFile) -> frozenset[int]:
    return frozenset(map(hash, source.lines))


class _Shared(UserDict[Key, Value]):
    """A table that :meth:`Judge.copy` does not copy."""


def _together(
    parts: Iterable[Raw],
) -> tuple[
    dict[Path, Sequence[Diagnostic]],
    dict[Path, Collection[int]],
    dict[Path, Collection[Path]],
    dict[Path, Mapping[str, Refusal]],
]:
    findings: dict[Path, Sequence[Diagnostic]] = {}
    compiled: dict[Path, Collection[int]] = {}
    imports: dict[Path, Collection[Path]] = {}
    refused: dict[Path, Mapping[str, Refusal]] = {}
    for each in parts:
        findings.update(each.findings)
        compiled.update(each.compiled or {})
        imports.update(each.imports)
        refused.update(each.refused)
    return findings, compiled, imports, refused


def _merged(first: Collection[Diagnostic], second: Collection[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Merge the findings of one file from two runs.

    For each rule and range, the most severe finding is kept; of equally severe ones, the one with the shortest call
    path, so that the order of the runs does not matter.
    """
    found: dict[tuple[object, ...], Diagnostic] = {}
    for diagnostic in (*first, *second):
        key = (diagnostic.code, diagnostic.start, diagnostic.end)
        if key not in found or _weight(found[key]) < _weight(diagnostic):
            found[key] = diagnostic
    return tuple(found.values())


def _weight(diagnostic: Diagnostic) -> tuple[int, int, list[str]]:
    return diagnostic.severity.rank, -len(diagnostic.compiled_via), [step.name for step in diagnostic.compiled_via]
