"""Analyses sources up to the findings of the rules, before suppression and selection."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from tslint.diagnostics import Diagnostic
from tslint.lint.internal import internal_error
from tslint.lint.rule_findings import Stops, Wanted, rule_findings
from tslint.lint.together import FindingKey, Piece
from tslint.lint.unparsable import unparsable
from tslint.project.definitions import Module
from tslint.project.index import Project
from tslint.project.installed import Installed
from tslint.sources.file import SourceFile
from tslint.util.progress import advance
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.config import Settings
    from tslint.script.events import Event
    from tslint.script.evidence import Claim, Evidence
    from tslint.script.model import Model
    from tslint.script.recording import Recording
    from tslint.script.refusals import Refusal
    from tslint.script.scope import Unit
    from tslint.script.targets import Target

# The share of the static model in the time that a file takes; the rest is the rules'.
MODELLED = 0.5
# By file, the names of the only definitions at module level to compile; None to compile all.
Only: TypeAlias = "Mapping[Path, Container[str]] | None"


class Findings(dict[Path, list[Diagnostic]]):
    """Findings by file, and what was read to find them.

    Args:
        compiled: by file, the rows of the ``def`` of each function that this run compiles.
        imports: by file, the files that were read because of it.
        lookups: by file, the modules that it imports, and the files that were found for them.
        others: the digests of the files that were read from the disk.
        refused: by file, the roots in it that the compiler would refuse, if ``verdicts`` were requested.
        evidence, claims: by file, what other groups of the run need to know (see :mod:`tslint.lint.together`).
        tracing_known: whether something is traced, and all code that passes modules to the compiler is known.
        model: the static model, if a recording was requested.
    """

    model: Model | None = None
    tracing_known = False

    def __init__(self, paths: Iterable[Path]) -> None:
        super().__init__((path, []) for path in paths)
        self.compiled: dict[Path, set[int]] = {}
        self.imports: dict[Path, set[Path]] = {}
        self.lookups: dict[Path, dict[str, Path | None]] = {}
        self.others: dict[Path, str] = {}
        self.refused: dict[Path, dict[str, Refusal]] = {}
        self.evidence: dict[Path, Evidence] = {}
        self.claims: dict[Path, dict[FindingKey, Claim]] = {}

    def piece(self, path: Path) -> Piece:
        """Return what this run says about a file."""
        return Piece(self.get(path, ()), self.claims.get(path, {}), self.evidence.get(path))


def analyse(
    sources: Sequence[SourceFile],
    *,
    settings: Settings | None = None,
    checked: Collection[object] = (),
    beside: Iterable[SourceFile] = (),
    unsaved: Iterable[SourceFile] = (),
    reported: Collection[Path] | None = None,
    recording: Recording | None = None,
    warm: MutableMapping[Path, Module] | None = None,
    verdicts: bool = False,
    only: Only = None,
) -> Findings:
    """Return every rule's findings by path; a file that cannot be parsed has a TS901, an internal error is a TS900.

    Args:
        sources: the files to report on; the files that they import are read, too, but not reported on.
        settings: the run's settings.
        checked: paths of other files of the run, whose findings are reported if the code of ``sources`` reaches them.
        beside: other files that decide what is only traced (see :func:`tslint.project.impact.deciding`).
        unsaved: other files whose text differs from the one on disk.
        reported: the files whose findings are wanted; the others are only compiled. None for all.
        recording: records what the static model does; the model is then returned with the findings.
        warm: modules of earlier runs, see :class:`tslint.project.index.Project`.
        verdicts: whether to list also the roots that the compiler would reject; fixes need them.
        only: what is compiled, see :data:`Only`.
    """
    work = _Work(sources, settings, checked, beside, unsaved, reported, recording, warm, verdicts, only)
    if settings is None or not settings.built:
        return work.done()
    plain = replace(work, settings=replace(settings, built=())).done()
    found = replace(work, recording=None).done()
    certain(found, plain)
    return found


def certain(found: Findings, plain: Findings) -> None:
    """Keep only those fixes and compiled rows that are valid for every construction.

    Fixes and suppressions must still be right when the target changes.

    Args:
        found: the findings that rely on facts of built modules.
        plain: the findings of the same files without these facts.
    """
    for path, findings in found.items():
        fixes = {(each.code, each.start, each.end): each.fix for each in plain.get(path, ())}
        found[path] = [replace(each, fix=fixes.get((each.code, each.start, each.end))) for each in findings]
        now = {(each.code, each.start, each.end) for each in findings}
        for each in plain.get(path, ()):
            if (each.code, each.start, each.end) not in now and each.compiled_via:
                found.compiled.get(path, set()).discard(each.compiled_via[-1].position.row)
    found.refused, found.model = plain.refused, plain.model


@record
class _Work:
    """The arguments of :func:`analyse`."""

    sources: Sequence[SourceFile]
    settings: Settings | None
    checked: Collection[object]
    beside: Iterable[SourceFile]
    unsaved: Iterable[SourceFile]
    reported: Collection[Path] | None
    recording: Recording | None
    warm: MutableMapping[Path, Module] | None
    verdicts: bool
    only: Only

    def done(self) -> Findings:
        """Return the findings, and the files that were read to find them."""
        from tslint.script.callee_files import parameters_in_other_files
        from tslint.script.eager_failures import fails_in_python
        from tslint.script.evidence import claim, evidence
        from tslint.script.stateless_bases import note_stateless_bases

        found = Findings(source.path for source in self.sources)
        packages = Installed.of(self.settings) if self.settings is not None else None
        project = Project(unsaved=self.unsaved, warm=self.warm, installed=packages)
        found.imports, found.lookups, found.others = project.imports, project.lookups, project.others
        modules, faults = _parsed(project, self.sources)
        for fault in faults:
            found[Path(fault.filename)].append(fault)
        deciding, _ = _parsed(project, [each for each in self.beside if each.path not in found])
        model = _compiled(project, modules, deciding, self.settings, found, self.recording, self.only)
        traced, traced_units = _traced(model, modules, self.settings, found)
        for unit in (*model.units.values(), *traced_units):
            found.compiled.setdefault(unit.function.module.source.path, set()).add(unit.function.node.lineno)
        wanted = Wanted.by(self.settings, fixing=self.verdicts)
        stops: set[tuple[int, int]] = set()
        grouped = not all(path in found for path in self.checked)
        refuses = Stops(model.target, stops)
        note_stateless_bases(project, modules)
        of_packages = _of_packages(model, project, found, self.checked, refuses)
        scripted = _with_certainty(list(model.all_events()), refuses)
        scripted = [event for event in scripted if not fails_in_python(model, event)]
        scripted += parameters_in_other_files(model, scripted)
        for path, events in _by_file([*scripted, *of_packages, *traced]).items():
            if self._is_reported(path, found):
                origins: dict[FindingKey, Event] = {}
                found.setdefault(path, []).extend(rule_findings(path, events, model.target, stops, wanted, origins))
                if grouped:
                    # A finding about a call into a package does not depend on the classes that inherit the method.
                    own = {key: event for key, event in origins.items() if event not in of_packages}
                    claims = {key: claim(model, event) for key, event in own.items()}
                    found.claims[path] = {key: each for key, each in claims.items() if each is not None}
                advance(1 - MODELLED)
        if grouped:
            found.evidence = evidence(model, lambda path: self._is_reported(path, found))
        if self.verdicts:
            from tslint.script.refusals import refusals

            found.refused = refusals(model, lambda event: (id(event.node), id(event.unit)) in stops)
            if self.warm is None and self.recording is None:
                project.release()  # rounds of fixes analyse again and again
        return found

    def _is_reported(self, path: Path, found: Findings) -> bool:
        return (path in found or path in self.checked) and (self.reported is None or path in self.reported)


def _of_packages(
    model: Model, project: Project, found: Findings, checked: Collection[object], refuses: Callable[[Event], bool]
) -> list[Event]:
    """Return the errors in installed packages that are not checked, each at the author's call that leads there."""
    from tslint.rulekit.rule import with_edits
    from tslint.script.packages import package_events

    def installed(path: Path) -> bool:
        return path not in found and path not in checked and project.installed.holds(path)

    try:
        with with_edits(False):
            return list(package_events(model, installed, refuses))
    except Exception as error:
        path = next(iter(found))
        found[path].append(internal_error(path, error))
        return []


def _with_certainty(events: list[Event], refuses: Callable[[Event], bool]) -> list[Event]:
    """Return the events; errors that together concern every construction of a class are marked as certain."""
    from tslint.rulekit.rule import with_edits
    from tslint.script.certainty import with_certainty

    try:
        with with_edits(False):
            return with_certainty(events, lambda event: refuses(replace(event, condition=None)))
    except Exception:
        return events  # the error occurs again in the rules, which report it with its event


def _by_file(events: Iterable[Event]) -> dict[Path, list[Event]]:
    found: dict[Path, list[Event]] = {}
    for event in events:
        if event.unit is not None:
            found.setdefault(event.unit.function.module.source.path, []).append(event)
    return found


def _parsed(project: Project, sources: Iterable[SourceFile]) -> tuple[list[Module], list[Diagnostic]]:
    """Return the files as modules of a project, and a TS901 for each that cannot be parsed."""
    modules: list[Module] = []
    faults: list[Diagnostic] = []
    for source in sources:
        try:
            modules.append(project.add(source))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            faults.append(unparsable(source, error))
    return modules, faults


def _compiled(
    project: Project,
    modules: Sequence[Module],
    deciding: Sequence[Module],
    settings: Settings | None,
    found: Findings,
    recording: Recording | None,
    only: Only,
) -> Model:
    """Return the static model of a run after compilation; add internal errors to the findings."""
    from tslint.script.model import Model

    model = Model(project, _target(settings), settings.built if settings is not None else ())
    if recording is not None:
        model.recording, found.model = recording, model
    elif model.target.differs:
        from tslint.script.recording import Recording

        model.recording = Recording()
    for module, trouble in compile_roots(model, modules, settings, found, deciding, only):
        found[module.source.path].append(internal_error(module.source.path, trouble))
    found.tracing_known = model.tracing_known
    if model.target.differs and model.recording is not None and modules:
        from tslint.script.differences import add_differences

        try:
            add_differences(model, model.recording, modules)
        except Exception as error:
            found[modules[0].source.path].append(internal_error(modules[0].source.path, error))
    return model


def _traced(
    model: Model, modules: Sequence[Module], settings: Settings | None, found: Findings
) -> tuple[list[Event], list[Unit]]:
    """Return what a trace would record wrongly or leave out, and the functions that the tracer would run."""
    from tslint.script.tracing import tracing_events

    try:
        return tracing_events(model, modules, settings)
    except Exception as error:
        found[modules[0].source.path].append(internal_error(modules[0].source.path, error))
        return [], []


def modelled(
    sources: Sequence[SourceFile], settings: Settings
) -> tuple[Model, Recording, list[Module], list[Diagnostic]]:
    """Return the static model of files, and a recording of its work, from which reports are made.

    Returns:
        The static model; its recording; the files that can be parsed; TS901 and TS900 findings.

    Raises:
        ConfigError: an entry point does not exist.
    """
    from tslint.script.model import Model
    from tslint.script.recording import Recording

    project = Project(installed=Installed.of(settings))
    modules, faults = _parsed(project, sources)
    model = Model(project, _target(settings))
    model.recording = recording = Recording()
    troubles = compile_roots(model, modules, settings, [source.path for source in sources])
    return model, recording, modules, faults + [internal_error(module.source.path, error) for module, error in troubles]


def _compile_entry_points(
    model: Model, modules: Sequence[Module], settings: Settings, checked: Collection[Path]
) -> list[tuple[Module, Exception]]:
    from tslint.script.entry_points import compile_entry_point, find_entry_points

    troubles: list[tuple[Module, Exception]] = []
    entries = find_entry_points(model, modules, settings, checked)
    # With `mode = "trace"`, entry points are only traced, so the compiler does not see them.
    for entry in entries if settings.mode != "trace" else ():
        try:
            compile_entry_point(model, entry)
        except Exception as error:
            troubles.append((entry.module if entry.module in modules else modules[0], error))
    return troubles


def compile_roots(
    model: Model,
    modules: Sequence[Module],
    settings: Settings | None,
    checked: Collection[Path] = (),
    deciding: Sequence[Module] = (),
    only: Only = None,
) -> list[tuple[Module, Exception]]:
    """Compile the entry points or, if none are configured, all code of the modules that the compiler would compile.

    Args:
        model: the static model that compiles them.
        modules: the checked files that can be parsed.
        settings: the settings of the run.
        checked: all checked files.
        deciding: other files that decide what is only traced.
        only: see :data:`Only`.

    Returns:
        Internal errors: an error in one file must not end the run.

    Raises:
        ConfigError: an entry point does not exist.
    """
    if settings is not None and settings.entry_points:
        return _compile_entry_points(model, modules, settings, checked)
    troubles: list[tuple[Module, Exception]] = []
    try:
        _leave_to_the_tracer(model, modules, deciding, settings)
    except Exception as error:
        troubles.append((modules[0], error))
    for module in modules:
        try:
            model.analyse([module], (only or {}).get(module.source.path))
        except Exception as error:
            troubles.append((module, error))
        advance(MODELLED)
    return troubles


def _leave_to_the_tracer(
    model: Model, modules: Sequence[Module], deciding: Sequence[Module], settings: Settings | None
) -> None:
    """Mark the modules in the static model that are only traced."""
    from tslint.script.traced import only_traced

    traced = only_traced(model, [*modules, *deciding])
    model.traced, model.tracing_known = traced or frozenset(), traced is not None
    if settings is not None and settings.mode == "trace":
        # In this mode all modules are only traced, whatever the files do with them.
        model.traced |= {each for module in modules for each in module.classes() if model.is_module(each)}


def _target(settings: Settings | None) -> Target:
    from tslint.script.targets import Target

    return Target.of(settings.target_torch if settings is not None else None)
