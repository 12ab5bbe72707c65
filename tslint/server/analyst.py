"""Checks open texts that changed or are affected by a change, and caches everything else.

For each file, all files are analysed whose code may cause code in it to be compiled (see :mod:`tslint.project.impact`),
but only the findings in the file itself are computed. So these are the same as in a ``tslint check`` of the whole
folder.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from tslint.config import ConfigError
from tslint.diagnostics import Diagnostic
from tslint.fixing.rounds import fix
from tslint.lint import engine, target_facts
from tslint.lint.analysis import Findings, analyse
from tslint.lint.engine import Loaded, Report
from tslint.lint.incremental import Judge
from tslint.project.definitions import Module
from tslint.project.impact import Impact
from tslint.project.import_graph import ImportGraph, Imports
from tslint.script.recording import Recording
from tslint.server.answers import Answer, Known, Request, Result, Unconcerned, failed, internal_error
from tslint.server.calls import Calls, calls
from tslint.server.cancellation import Cancelled, cancelled_by
from tslint.server.configuration import Configurations, Session, without_entry_points
from tslint.server.documents import Document
from tslint.server.insight import Insight, insight
from tslint.sources import reading
from tslint.sources.file import SourceFile, UnreadableSource

# The number of characters of source that are analysed for one file; its nearest importers come first.
LARGEST = 1_500_000
# The number of modules of files that are not open, of which the parsed form is kept.
WARM = 400
_INSTALLED = {"site-packages", "dist-packages"}
# After so many seconds without a change, the open files that a changed file uses are checked again.
QUIET = 0.12


class Analyst:
    """Checks texts. All methods are called from one thread.

    Args:
        complain: called with problems of the configuration.
        scan: called to read a folder in the background, which then calls :meth:`adopt` with the result.
    """

    def __init__(self, complain: Callable[[str], None], scan: Callable[[Path, Session], None]) -> None:
        self._configurations = Configurations(complain)
        self._scan = scan
        self._graphs: dict[Path, ImportGraph] = {}
        self._texts: dict[Path, str] = {}
        self._scanned: dict[Path, Session] = {}
        self._warm: dict[Path, Module] = {}
        self._compiled: dict[Session, frozenset[Path]] = {}
        self._pending: set[Path] = set()
        self._far: set[Path] = set()
        self._everything = True

    def update(self, request: Request, newer: Callable[[], bool]) -> Iterator[Answer]:
        """Check the texts that a request affects; changed texts come first.

        Args:
            request: the newest request. Unfinished parts of earlier requests are included.
            newer: returns whether there is a newer request.

        Raises:
            Cancelled: there is a newer request.
        """
        if request.renewed or self._configurations.changed():
            folder = request.folders[0] if request.folders else Path.cwd()
            self._configurations.reload(request.options, folder)
            self._everything = True
        self._pending |= request.changed
        done: set[Path] = set()
        opened = {document.path: document for document in request.documents}
        homes = {path: self._home(path, request) for path in opened}
        self._read(opened, homes)
        skipped = [each for each in request.documents if not self._looked_at(each, request)]
        for document in skipped:
            yield Result(document, request.generation, ())
            yield Known(document, request.generation, Insight())
            opened.pop(document.path, None)
        while True:
            near = self._concerned(opened, homes, Impact.dependents) - done
            if not near:
                break
            yield from self._judged(near, opened, homes, request, newer)
            done |= near
        self._far = ((self._far | self._concerned(opened, homes, Impact.affected)) & opened.keys()) - done
        unconcerned = [document for path, document in opened.items() if path not in done and path not in self._far]
        yield Unconcerned(request.generation, tuple(unconcerned))
        self._pending.clear()
        self._everything = False
        if self._far:
            ends = time.monotonic() + QUIET
            while time.monotonic() < ends:
                if newer():
                    raise Cancelled
                time.sleep(0.01)
            yield from self._judged(self._far, opened, homes, request, newer)
            self._far.clear()
        for path in opened:
            self._look_around(homes[path], self._configurations.session(path))

    def adopt(self, home: Path, read: Iterable[tuple[Path, Imports]]) -> None:
        """Add the imports of a folder's files; every open text may be affected."""
        graph = self._graph(home)
        for path, imports in read:
            if path not in graph:
                graph.put(path, imports)
        self._everything = True

    def on_disk(self, changed: Collection[Path]) -> frozenset[Path]:
        """Handle files that other programs wrote or removed; return those that may affect an open text."""
        packages = [session.installed() for session in self._scanned.values()]
        found = {path for path in changed if any(each.holds(path) for each in packages)}
        self._everything = self._everything or bool(found)
        for path in changed:
            for home, graph in self._graphs.items():
                session = self._scanned.get(home)
                if not path.is_relative_to(home) or session is None:
                    continue
                known = path in graph
                try:
                    if known or session.covers(path):
                        graph.put(path, Imports.of(reading.read(path)))
                        found.add(path)
                except UnreadableSource:
                    if not path.exists():
                        graph.remove(path)
                        self._everything = True
                    found.add(path)
                self._everything = self._everything or not known
        return frozenset(found)

    def fixed(self, document: Document, request: Request, *, unsafe: bool = False) -> str:
        """Return a text with its safe fixes applied, as ``tslint check --fix`` would over the whole folder.

        Args:
            document: the text.
            request: the other texts.
            unsafe: whether to apply unsafe fixes, too.
        """
        session = self._configurations.session(document.path)
        opened = {each.path: each for each in request.documents} | {document.path: document}
        home = self._home(document.path, request)
        around = self._impact(home, session).compiled([document.path])
        sources = self._sources(dict.fromkeys([*around, *self._graph(home).deciding]), opened)
        beside = [each.source for path, each in opened.items() if path not in {source.path for source in sources}]
        loaded = Loaded(tuple(sorted([*sources, *beside], key=lambda source: source.path)))
        judge = Judge(session.settings, unsaved=opened)
        name = str(document.path)
        outcome = fix(loaded, judge, unsafe=unsafe, allowed=lambda spot: spot.filename == name)
        changed = {before.path: after.text for before, after in outcome.changed}
        return changed.get(document.path, document.source.text)

    def edited(self, document: Document, request: Request, newer: Callable[[], bool]) -> tuple[Diagnostic, ...]:
        """Return the findings of a text with the edits of their fixes, which :meth:`update` leaves out.

        Raises:
            Cancelled: there is a newer request.
        """
        opened = {each.path: each for each in request.documents} | {document.path: document}
        session, home = self._configurations.session(document.path), self._home(document.path, request)
        with cancelled_by(newer):
            found = self._analysed(session, home, {document.path}, opened, Recording(), edits=True)
        return self._shown_findings(session, document, found)

    def calls(self, path: Path, request: Request) -> Calls:
        """Return the calls of compiled functions from and to a file, which need not be open; empty if they are not
        known.
        """
        opened = {each.path: each for each in request.documents}
        session = self._configurations.session(path)
        found = self._analysed(session, self._home(path, request), {path}, opened, Recording())
        return calls(found.model, path) if found.model is not None else Calls()

    def _home(self, path: Path, request: Request) -> Path:
        """Return the folder whose files may import a file."""
        around = [folder for folder in request.folders if path.is_relative_to(folder)]
        if around:
            return max(around, key=lambda folder: len(folder.parts))
        session = self._configurations.session(path)
        if session.settings.source is not None and path.is_relative_to(session.settings.root):
            return session.settings.root
        return path.parent

    def _graph(self, home: Path) -> ImportGraph:
        return self._graphs.setdefault(home, ImportGraph())

    def _impact(self, home: Path, session: Session) -> Impact[Path]:
        """Return the object that computes what changes in a folder can affect.

        Code that entry points reach depends on every file on the way from them.
        """
        return self._graph(home).impact(self._compiled.get(session, ()))

    def _read(self, opened: dict[Path, Document], homes: dict[Path, Path]) -> None:
        """Add the open texts, and remove closed ones, for which the file on disk is used again."""
        self.on_disk([path for path in self._texts if path not in opened])
        for path, document in opened.items():
            if self._texts.get(path) != document.source.text:
                self._graph(homes[path]).put(path, Imports.of(document.source, self._warm))
        self._texts = {path: document.source.text for path, document in opened.items()}

    def _look_around(self, home: Path, session: Session) -> None:
        if home not in self._scanned:
            self._scanned[home] = session
            self._scan(home, session)

    def _looked_at(self, document: Document, request: Request) -> bool:
        path = document.path
        if any(path.is_relative_to(folder) for folder in request.folders) or not _INSTALLED & set(path.parts):
            return request.options.enable and self._configurations.session(path).covers(path)
        return False  # the file belongs to an installed library and was only opened to read it

    def _concerned(
        self,
        opened: Collection[Path],
        homes: dict[Path, Path],
        asked: Callable[[Impact[Path], Iterable[Path]], Collection[Path]],
    ) -> set[Path]:
        """Return the open files that a pending change may affect."""
        if self._everything:
            return set(opened)
        found: set[Path] = set()
        for home, session in {(homes[path], self._configurations.session(path)) for path in opened}:
            found.update(asked(self._impact(home, session), self._pending))
        return found.intersection(opened)

    def _judged(
        self,
        paths: Collection[Path],
        opened: dict[Path, Document],
        homes: dict[Path, Path],
        request: Request,
        newer: Callable[[], bool],
    ) -> Iterator[Answer]:
        groups: dict[tuple[Session, Path], list[Document]] = {}
        for path in paths:
            groups.setdefault((self._configurations.session(path), homes[path]), []).append(opened[path])
        # Changed files do not wait for the files that use them.
        ordered = sorted(groups.items(), key=lambda group: not any(each.path in self._pending for each in group[1]))
        for (session, home), documents in ordered:
            yield from self._group(session, home, documents, opened, request, newer)

    def _group(
        self,
        session: Session,
        home: Path,
        documents: list[Document],
        opened: dict[Path, Document],
        request: Request,
        newer: Callable[[], bool],
    ) -> Iterator[Answer]:
        """Check the texts that have the same settings."""
        wanted = {document.path for document in documents}
        recording = Recording()
        try:
            with cancelled_by(newer):
                found = self._analysed(session, home, wanted, opened, recording)
        except Cancelled:
            raise
        except Exception as error:
            # One text must not end the server; each text gets a finding about the error.
            for document in documents:
                yield from failed(document, request, error)
            return
        graph = self._graph(home)
        graph.learn(found.imports)
        if graph.tracing_known != found.tracing_known and not session.settings.entry_points:
            graph.tracing_known = found.tracing_known
            self._pending |= graph.deciding
        for document in documents:
            yield Result(document, request.generation, self._shown_findings(session, document, found), session)
        for document in documents:
            yield Known(document, request.generation, self._insight(session, document, found, recording))
        self._release_unused(found, opened)

    def _analysed(
        self,
        session: Session,
        home: Path,
        wanted: set[Path],
        opened: dict[Path, Document],
        recording: Recording,
        *,
        edits: bool = False,
    ) -> Findings:
        around = self._impact(home, session).compiled(sorted(wanted))
        settings = target_facts.with_targets(session.settings, [each.source for each in opened.values()])
        # Writing edits takes as long as finding the problems.
        settings = replace(settings, edits=edits)
        if settings.entry_points:
            around |= dict.fromkeys(opened)
        sources = self._sources(around, opened)
        taken = {source.path for source in sources}
        unsaved = [each.source for path, each in opened.items() if path not in taken]
        beside = self._sources(self._graph(home).deciding - taken, opened)
        try:
            found = analyse(
                sources, settings=settings, beside=beside, unsaved=unsaved, reported=wanted, recording=recording,
                warm=self._warm,
            )  # fmt: skip
            self._configurations.healthy(session)
        except ConfigError as error:
            # Often, an entry point is missing because it is just being renamed.
            self._configurations.problem(session, str(error))
            return self._without_missing(session, home, wanted, opened, recording, edits)
        if settings.entry_points:
            self._compiled[session] = frozenset(found.compiled)
        return found

    def _without_missing(
        self,
        session: Session,
        home: Path,
        wanted: set[Path],
        opened: dict[Path, Document],
        recording: Recording,
        edits: bool,
    ) -> Findings:
        """Return the findings for only those entry points that exist."""
        from tslint.project.index import Project
        from tslint.script.entry_points import find_entry_points
        from tslint.script.model import Model

        kept: list[str] = []
        modules: list[Module] = []
        project = Project(unsaved=[each.source for each in opened.values()], warm=self._warm)
        for path in opened:
            module = project.load(path)
            modules += [module] if module is not None else []
        for entry in session.settings.entry_points:
            one = replace(session.settings, entry_points=(entry,))
            try:
                find_entry_points(Model(project), modules, one, opened)
                kept.append(entry)
            except ConfigError:
                continue
        if not kept:
            return Findings(wanted)
        session = without_entry_points(session, tuple(kept))
        return self._analysed(session, home, wanted, opened, recording, edits=edits)

    @staticmethod
    def _sources(around: Iterable[Path], opened: dict[Path, Document]) -> list[SourceFile]:
        """Return the texts of files, the nearest ones up to the limit, in the order in which a run over a folder has
        them.
        """
        sources: list[SourceFile] = []
        size = 0
        for path in around:
            try:
                source = opened[path].source if path in opened else reading.read(path)
            except UnreadableSource:
                continue
            if path not in opened and size + len(source.text) > LARGEST:
                continue
            size += len(source.text)
            sources.append(source)
        return sorted(sources, key=lambda source: source.path)

    def _shown_findings(self, session: Session, document: Document, found: Findings) -> tuple[Diagnostic, ...]:
        """Return the findings of the text that are shown."""
        source = document.source
        try:
            rows = found.compiled.get(document.path, set())
            kept = engine.kept(source, found[document.path], rows, session.settings, session.selection)
            report: Report = engine.report(Loaded((source,)), {document.path: kept}, session.selection)
            if session.baseline is not None:
                report = session.baseline.hold_back(report)
            return report.diagnostics
        except Exception as error:
            return (internal_error(document, error),)

    def _insight(self, session: Session, document: Document, found: Findings, recording: Recording) -> Insight:
        module = self._warm.get(document.path)
        if found.model is None or module is None or module.source != document.source:
            return Insight()
        try:
            return insight(found.model, recording, module, session.settings)
        except Exception:
            # Hints are not findings: if they fail, none are shown.
            traceback.print_exc()
            return Insight()

    def _release_unused(self, found: Findings, opened: Collection[Path]) -> None:
        """Release the parsed modules that were not used recently."""
        if len(self._warm) > WARM:
            used = {*found, *opened, *(target for targets in found.imports.values() for target in targets)}
            for path in [path for path in self._warm if path not in used]:
                del self._warm[path]
