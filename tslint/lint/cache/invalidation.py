"""Analyses only what a change can affect (see :mod:`tslint.project.impact`)."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tslint.config import Settings
from tslint.lint.analysis import Findings, analyse
from tslint.lint.cache.dependencies import Disk, Group
from tslint.lint.parallel import by_size, deciding_sources, even, in_one_go, split
from tslint.project.impact import Impact, closure, deciding
from tslint.sources.file import SourceFile
from tslint.util.deep_stack import run_with_deep_stack
from tslint.util.process_pool import share, without_collection
from tslint.util.progress import advance


def plan(sources: Sequence[SourceFile], settings: Settings) -> list[list[SourceFile]]:
    """Return the groups in which the files of a run are analysed, as :func:`tslint.lint.parallel.analyse_in_chunks`
    forms them.
    """
    size = sum(source.size for source in sources)
    jobs = settings.jobs or os.cpu_count() or 1
    if in_one_go(size, jobs) or settings.entry_points:
        return [list(sources)]
    return list(split(sources, even(size, jobs)))


def is_rooted(settings: Settings) -> bool:
    """Return whether the settings name what is compiled or traced.

    Then findings may depend on files that do not import each other, so after any change everything is analysed.
    """
    return bool(settings.entry_points) or any("trace" in target.modes for target in settings.targets.values())


@dataclass
class Part:
    """A group of files whose findings are updated.

    Args:
        sources: its files.
        every: the paths of the whole run.
        old: the same group in the last run.
        whole: whether everything is analysed after any change.
        changed: the files that were changed, added or removed.
        deciding: the files that together decide what is only traced.
        affected: the files whose findings may differ.
        compiled: the files that have been analysed to update these findings.
        reported: the files that have been reported on.
        found: the findings.
    """

    sources: Sequence[SourceFile]
    every: frozenset[str]
    old: Group | None
    whole: bool
    changed: set[str] = field(default_factory=set)
    deciding: set[str] = field(default_factory=set)
    affected: set[str] = field(default_factory=set)
    compiled: set[str] = field(default_factory=set)
    reported: set[str] = field(default_factory=set)
    found: Findings | None = None
    disk: Disk | None = None

    def start(
        self, disk: Disk, before: Mapping[str, str], digests: Mapping[str, str], roles: Mapping[str, int]
    ) -> None:
        """Find out what has changed.

        Args:
            disk: the current state of the disk.
            before: the digests of the last run's files, including those of this group.
            digests: the digests of this run's files.
            roles: by file, its role in the last run or now (see :func:`tslint.project.impact.role`).
        """
        members = [str(source.path) for source in self.sources]
        self.disk = disk
        old = self.old
        if old is None:
            self.changed = set(members)
            return
        inner = set(members)
        self.changed = inner ^ set(old.members)
        self.changed |= {path for path in inner & set(old.members) if digests[path] != before.get(path)}
        self.changed |= old.changed(disk, members)
        outside = self.every - inner
        self.changed |= {path for path in old.nodes() - inner if (path in outside) != (path in old.outside)}
        self.deciding = deciding({path: roles.get(path, 0) for path in {*inner, *old.members}})
        if not self.deciding <= inner:
            # A deciding file has been removed, so the other deciding files have to be analysed again.
            self.changed |= self.deciding

    def restart(self) -> None:
        """Mark all files of the group as changed, so that :meth:`next` returns them."""
        self.changed = {str(source.path) for source in self.sources}
        self.whole = True

    def next(self) -> list[SourceFile]:
        """Return the files that have to be analysed next; empty if everything is known."""
        members = {str(source.path) for source in self.sources}
        if not self.changed:
            return []
        # If two files have the same module name, the one that an import finds may depend on which files are analysed.
        self.whole = self.whole or self.is_misled()
        if self.found is not None and self.old is not None and self.found.tracing_known != self.old.tracing_known:
            self.changed |= self.deciding
        if self.old is None or self.whole:
            self.affected, compiled = members | set(self.every), members
        else:
            impact = Impact(self.edges())
            self.affected = set(impact.affected(self.changed))
            compiled = members.intersection(impact.compiled(self.affected))
        if compiled <= self.compiled and self.affected <= self.reported and self.found is not None:
            return []
        self.compiled |= compiled
        self.reported = self.affected
        return [source for source in self.sources if str(source.path) in self.compiled]

    def beside(self) -> list[SourceFile]:
        """Return the files that are read together with the analysed ones, because they decide what is only traced."""
        beside = self.deciding - self.compiled
        return [source for source in self.sources if str(source.path) in beside]

    def is_misled(self) -> bool:
        """Return whether an import was resolved differently than if all files were analysed."""
        if self.found is None or self.disk is None or len(self.compiled) == len(self.sources):
            return False
        run = self.disk.run(str(source.path) for source in self.sources)
        for near, asked in self.found.lookups.items():
            folder = self.disk.place(str(near))[0]
            for name, path in asked.items():
                if self.disk.taken(folder, name, run) != (None if path is None else str(path)):
                    return True
        return False

    def edges(self) -> dict[str, set[str]]:
        """Return, by file, the files that were read because of it, last time or now."""
        edges = self.old.edges() if self.old is not None else {}
        if self.found is not None:
            for path, asked in self.found.lookups.items():
                edges.setdefault(str(path), set()).update(str(each) for each in asked.values() if each is not None)
        return edges

    def group(self, disk: Disk) -> Group:
        """Return the group of files as it is after this run, for the cache."""
        members = [str(source.path) for source in self.sources]
        if not self.changed and self.old is not None:
            return self.old
        found = self.found if self.found is not None else Findings(())
        lookups = {path: dict(asked) for path, asked in (self.old.lookups if self.old else {}).items()}
        for path in self.affected | self.changed:
            # Everything that reads these files was compiled now, so no earlier dependency remains.
            lookups.pop(path, None)
        others = dict(self.old.others) if self.old else {}
        for near, asked_now in found.lookups.items():
            asked = lookups.setdefault(str(near), {})
            asked.update((name, None if path is None else str(path)) for name, path in asked_now.items())
        others.update((str(path), mark) for path, mark in found.others.items())
        known = (self.old if self.found is None and self.old is not None else found).tracing_known
        new = Group(members, [], lookups, {}, others, known)
        nodes = closure(members, new.edges()).keys()
        rooted = set(others) if self.whole else nodes
        new.lookups = {path: asked for path, asked in lookups.items() if path in nodes or path in rooted}
        new.others = {path: mark for path, mark in others.items() if path in rooted and path not in set(members)}
        new.places = {path: disk.place(path) for path in {*members, *new.lookups}}
        new.outside = sorted((nodes & self.every) - set(members))
        return new


def bring_up(parts: Sequence[Part], settings: Settings) -> None:
    """Analyse parts until nothing else has to be analysed.

    Raises:
        ConfigError: an entry point does not exist.
    """
    with warnings.catch_warnings():
        # Hide Python's warnings about escapes and literals in the checked files.
        warnings.simplefilter("ignore")
        deciders = deciding_sources([each for part in parts for each in part.sources]) if len(parts) > 1 else []
        while True:
            due = [(part, sources) for part in parts if (sources := part.next())]
            if not due:
                return
            due.sort(key=lambda each: by_size(each[1]))
            work = [(sources, [*part.beside(), *deciders], settings, *_wanted(part)) for part, sources in due]
            if len(work) == 1:
                with without_collection():
                    results = [_analyse(work[0])]
            else:
                jobs = settings.jobs or os.cpu_count() or 1
                results = share(_analyse, work, jobs, lambda found: advance(len(found)))
            for (part, _), found in zip(due, results, strict=True):
                part.found = found


Work = tuple[Sequence[SourceFile], Sequence[SourceFile], Settings, frozenset[Path], "frozenset[Path] | None"]


def _wanted(part: Part) -> tuple[frozenset[Path], frozenset[Path] | None]:
    """Return the files outside the part that need findings, too, and all files that need findings."""
    outside: Collection[str] = part.every - {str(source.path) for source in part.sources}
    return frozenset(map(Path, outside)), frozenset(map(Path, part.affected))


def _analyse(work: Work) -> Findings:
    sources, beside, settings, checked, reported = work
    return run_with_deep_stack(
        lambda: analyse(sources, settings=settings, checked=checked, beside=beside, reported=reported)
    )
