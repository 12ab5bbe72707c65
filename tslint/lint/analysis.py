"""Sources → index → model → rules → findings: raw, before suppression and selection."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, MutableMapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tslint.diagnostics import CallStep, Diagnostic, Position, Severity, Stage
from tslint.lint.internal import internal_error
from tslint.project.definitions import Module
from tslint.project.index import Project
from tslint.sources.file import SourceFile
from tslint.util.progress import advance

if TYPE_CHECKING:
    from tslint.config import Settings
    from tslint.lint.selection import Selection
    from tslint.rulekit.match import Match
    from tslint.rulekit.registry import RegisteredRule
    from tslint.rulekit.rule import Rule
    from tslint.script.events import Event
    from tslint.script.model import Model
    from tslint.script.recording import Recording
    from tslint.script.refusals import Refusal
    from tslint.script.scope import Unit
    from tslint.script.targets import Target

# The share that the model has in the work on a file; the rest is the rules'.
MODELLED = 0.5
# The families of what the compiler refuses; the others are of what it gets wrong, or of what comes later.
REFUSED = ("TS1", "TS2", "TS3", "TS4", "TS5")
_SYNTAX = "TS1"


class Findings(dict[Path, list[Diagnostic]]):
    """Findings by file, and what was looked at to find them.

    Args:
        compiled: by file, the rows of the ``def`` of each function that something in this run compiles.
        imports: by file, the files that were looked into on its account.
        lookups: by file, the modules that were looked for on its account, and the files that were taken for them.
        others: the digests of the files that were read from the disk.
        refused: by file, the roots in it that the compiler would refuse, where that was asked for.
        tracing_known: whether something is traced, and it can be told what is never handed to the compiler.
        model: what was compiled, where that was asked for with a recording.
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
) -> Findings:
    """Every rule's findings in the given files, by path; unparsable files have a TS901, internal errors a TS900.

    Args:
        sources: the files to report on; what they import is read too, but not reported on.
        settings: the run's settings.
        checked: paths of other files of the run, whose findings are reported where these files' code reaches them.
        beside: other files that decide what is only traced (see :func:`tslint.project.impact.deciding`).
        unsaved: other files whose text is not the one on disk.
        reported: those of the files whose findings are wanted, the others are only compiled; None: all.
        recording: keeps what the model does, and the model is kept with the findings.
        warm: modules of earlier runs, as for :class:`tslint.project.index.Project`.
        verdicts: also say which roots are refused; for fixes, which are asked of what is shown alone.
    """
    found = Findings(source.path for source in sources)
    project = Project(unsaved=unsaved, warm=warm)
    found.imports, found.lookups, found.others = project.imports, project.lookups, project.others
    modules, unparsable = _parsed(project, sources)
    for fault in unparsable:
        found[Path(fault.filename)].append(fault)
    deciding, _ = _parsed(project, [each for each in beside if each.path not in found])
    model = _compiled(project, modules, deciding, settings, found, recording)
    traced, traced_units = _traced(model, modules, settings, found)
    for unit in (*model.units.values(), *traced_units):
        found.compiled.setdefault(unit.function.module.source.path, set()).add(unit.function.node.lineno)
    by_file: dict[Path, list[Event]] = {}
    for event in (*model.all_events(), *traced):
        if event.unit is not None:
            by_file.setdefault(event.unit.function.module.source.path, []).append(event)
    wanted = _selection(settings) if verdicts else None
    edits = settings is None or settings.edits or verdicts
    stops: set[tuple[int, int]] = set()
    for path, events in by_file.items():
        if (path in found or path in checked) and (reported is None or path in reported):
            found.setdefault(path, []).extend(_judged(path, events, model.target, stops, wanted, edits))
            advance(1 - MODELLED)
    if verdicts:
        from tslint.script.refusals import refusals

        found.refused = refusals(model, lambda event: (id(event.node), id(event.unit)) in stops)
    return found


def _parsed(project: Project, sources: Iterable[SourceFile]) -> tuple[list[Module], list[Diagnostic]]:
    """The files as modules of a project, and a TS901 for each that cannot be parsed."""
    modules: list[Module] = []
    faults: list[Diagnostic] = []
    for source in sources:
        try:
            modules.append(project.add(source))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            faults.append(_unparsable(source, error))
    return modules, faults


def _compiled(
    project: Project,
    modules: Sequence[Module],
    deciding: Sequence[Module],
    settings: Settings | None,
    found: Findings,
    recording: Recording | None,
) -> Model:
    """The model of a run, which has compiled what the compiler would; what went wrong inside tslint is found."""
    from tslint.script.model import Model

    model = Model(project, _target(settings))
    if recording is not None:
        model.recording, found.model = recording, model
    elif model.target.differs:
        from tslint.script.recording import Recording

        model.recording = Recording()
    for module, trouble in compile_roots(model, modules, settings, found, deciding):
        found[module.source.path].append(internal_error(module.source.path, trouble))
    found.tracing_known = model.tracing_known
    if model.target.differs and model.recording is not None and modules:
        from tslint.script.differences import add_differences

        try:
            add_differences(model, model.recording, modules)
        except Exception as error:
            found[modules[0].source.path].append(internal_error(modules[0].source.path, error))
    return model


def _selection(settings: Settings | None) -> Selection | None:
    from tslint.lint.selection import Selection

    return Selection(settings) if settings is not None else None


def _traced(
    model: Model, modules: Sequence[Module], settings: Settings | None, found: Findings
) -> tuple[list[Event], list[Unit]]:
    """What the tracer would bake in or drop in the code that is traced, and the functions that it would run."""
    from tslint.script.tracing import tracing_events

    try:
        return tracing_events(model, modules, settings)
    except Exception as error:
        found[modules[0].source.path].append(internal_error(modules[0].source.path, error))
        return [], []


def modelled(
    sources: Sequence[SourceFile], settings: Settings
) -> tuple[Model, Recording, list[Module], list[Diagnostic]]:
    """The model of files with a recording of what it does, for reports on it.

    Returns:
        The model; what it kept; the files that can be parsed; TS901 and TS900 for whatever went wrong.

    Raises:
        ConfigError: an entry point does not exist.
    """
    from tslint.script.model import Model
    from tslint.script.recording import Recording

    project = Project()
    modules, faults = _parsed(project, sources)
    model = Model(project, _target(settings))
    model.recording = recording = Recording()
    troubles = compile_roots(model, modules, settings, [source.path for source in sources])
    return model, recording, modules, faults + [internal_error(module.source.path, error) for module, error in troubles]


def compile_roots(
    model: Model,
    modules: Sequence[Module],
    settings: Settings | None,
    checked: Collection[Path] = (),
    deciding: Sequence[Module] = (),
) -> list[tuple[Module, Exception]]:
    """Compile the entry points, or without any in the settings everything in the modules that the compiler would.

    Args:
        model: compiles.
        modules: the checked files that can be parsed.
        settings: the run's.
        checked: all checked files.
        deciding: other files that decide what is only traced.

    Returns:
        What went wrong inside tslint: one file's trouble must not end the run.

    Raises:
        ConfigError: an entry point does not exist.
    """
    troubles: list[tuple[Module, Exception]] = []
    if settings is not None and settings.entry_points:
        from tslint.script.entry_points import compile_entry_point, find_entry_points

        entries = find_entry_points(model, modules, settings, checked)
        # What is only traced is none of the compiler's business.
        for entry in entries if settings.mode != "trace" else ():
            try:
                compile_entry_point(model, entry)
            except Exception as error:
                troubles.append((entry.module if entry.module in modules else modules[0], error))
        return troubles
    from tslint.script.traced import only_traced

    try:
        traced = only_traced(model, [*modules, *deciding])
        model.traced, model.tracing_known = traced or frozenset(), traced is not None
        if settings is not None and settings.mode == "trace":
            # Whatever the files do with them: the compiler never sees them.
            model.traced |= {each for module in modules for each in module.classes() if model.is_module(each)}
    except Exception as error:
        troubles.append((modules[0], error))
    for module in modules:
        try:
            model.analyse([module])
        except Exception as error:
            troubles.append((module, error))
        advance(MODELLED)
    return troubles


def _target(settings: Settings | None) -> Target:
    from tslint.script.targets import Target

    return Target.of(settings.target_torch if settings is not None else None)


def _judged(
    path: Path,
    events: list[Event],
    target: Target,
    stops: set[tuple[int, int]],
    wanted: Selection | None,
    edits: bool,
) -> list[Diagnostic]:
    """What the rules make of one file's events, where the torch that will compile it behaves as they say.

    Args:
        path: of the file.
        events: in it.
        target: the torch.
        stops: gets the node and the unit of every event at which a rule says that the compiler stops.
        wanted: what is shown, where nothing else is asked for: then neither rules that are off by default nor last
            resorts are looked for.
        edits: whether fixes have theirs.
    """
    from tslint.rulekit.rule import with_edits

    try:
        with with_edits(edits):
            return list(_findings(path, events, target, stops, wanted).values())
    except Exception as error:
        return [internal_error(path, error)]


def _findings(
    path: Path, events: list[Event], target: Target, stops: set[tuple[int, int]], wanted: Selection | None
) -> dict[tuple[str, Position, Position], Diagnostic]:
    """The findings by code and place, of which only the gravest counts."""
    from tslint.rulekit.code import FileCode
    from tslint.rulekit.match import Match
    from tslint.rulekit.registry import rules_by_event

    assert events[0].unit is not None
    module = events[0].unit.function.module
    code = FileCode(module.source, module.tree)
    table = rules_by_event()
    found: dict[tuple[str, Position, Position], Diagnostic] = {}
    # One for all findings of a function: in large runs they are most of what is kept.
    paths: dict[int, tuple[CallStep, ...]] = {}
    for event in events:
        if id(event.unit) not in paths:
            paths[id(event.unit)] = _path(event.unit)
        for registered in table.get(event.kind, ()):
            rule = registered.rule
            if not target.within(rule.since, rule.until):
                continue
            if wanted is not None and not rule.default and not wanted.judges(rule.code):
                continue
            try:
                for each in _said(registered, Match(event, code), paths[id(event.unit)], stops, wanted is None):
                    key = (each.code, each.start, each.end)
                    if key not in found or found[key].severity.rank < each.severity.rank:
                        found[key] = each
            except Exception as error:
                trouble = internal_error(path, error)
                found["TS900", trouble.start, trouble.end] = trouble
    return found


def _said(
    registered: RegisteredRule,
    match: Match,
    via: tuple[CallStep, ...],
    stops: set[tuple[int, int]],
    last_resorts: bool,
) -> Iterator[Diagnostic]:
    """What one rule makes of one event."""
    from tslint.rewrite.last_resort import last_resort
    from tslint.rulekit.imports import tidied
    from tslint.rulekit.soundness import sound

    rule, event = registered.rule, match.event
    for finding in registered.check(match):
        fix = finding.fix
        if _refuses(rule):
            stops.add((id(event.node), id(event.unit)))
            if last_resorts:
                fix = fix or last_resort(match, syntax=rule.code.startswith(_SYNTAX))
        start, end = match.file.span(event.span)
        if finding.start is not None and finding.end is not None:
            start, end = finding.start, finding.end
        severity = finding.severity or rule.severity
        if event.condition is not None and severity is Severity.ERROR:
            severity = Severity.WARNING
        yield Diagnostic(
            rule.code,
            rule.name,
            severity,
            rule.stage,
            _worded(finding.message, event.condition),
            str(match.file.source.path),
            start,
            end,
            via,
            finding.help,
            event.compiler,
            fix and sound(match.file.source, match.file.tree, tidied(fix)),
        )


def _refuses(rule: Rule) -> bool:
    """Whether the compiler stops at what a rule finds."""
    return rule.stage is Stage.SCRIPT and rule.code.startswith(REFUSED) and rule.severity is not Severity.INFO


def _worded(message: str, condition: str | None) -> str:
    return message if condition is None else f"{message} (when {condition})"


def _path(unit: Unit | None) -> tuple[CallStep, ...]:
    if unit is None:
        return ()
    steps = []
    for step in unit.path():
        source = step.function.module.source
        steps.append(
            CallStep(
                step.name, str(source.path), source.from_ast(step.function.node.lineno, step.function.node.col_offset)
            )
        )
    return tuple(steps)


def _unparsable(source: SourceFile, error: Exception) -> Diagnostic:
    error = source.blame(error)
    row = getattr(error, "lineno", None) or 1
    column = getattr(error, "offset", None) or 1
    words = getattr(error, "msg", None) or str(error) or type(error).__name__
    place = Position(max(row, 1), max(column, 1))
    return Diagnostic(
        "TS901",
        "unparsable-file",
        Severity.ERROR,
        Stage.SCRIPT,
        f"cannot be parsed: {words}",
        str(source.path),
        place,
        place,
        help="Mend the syntax error, or leave the file out with `extend-exclude`.",
    )
