"""Applies the rules to the events of one file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tslint.config import WITH_LAST_RESORTS, Settings
from tslint.diagnostics import Applicability, CallStep, Diagnostic, Fix, Severity, Stage
from tslint.lint.internal import internal_error
from tslint.lint.selection import Selection
from tslint.lint.together import FindingKey
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.rulekit.code import FileCode
    from tslint.rulekit.match import Match
    from tslint.rulekit.registry import RegisteredRule
    from tslint.rulekit.rule import Finding, Rule
    from tslint.script.events import Event
    from tslint.script.scope import Unit
    from tslint.script.targets import Target

# The families of rules about code that the compiler rejects; other families: wrong results, or later stages.
REFUSED = ("TS1", "TS2", "TS3", "TS4", "TS5")
_SYNTAX = "TS1"
# A type in the compiler's words that is not known: `?` would look like the sign of an Optional.
_UNKNOWN = re.compile(r"(?<=[\[ ])\?(?=[],])")


@record
class Wanted:
    """The requested findings.

    Args:
        selection: the rules; None for all, including those that are off by default.
        edits: whether the edits of fixes are needed.
        all_edits: whether the edits of unsafe fixes are needed, too.
        last_resorts: whether to look for fixes that stop compiling a branch.
    """

    selection: Selection | None = None
    edits: bool = True
    all_edits: bool = True
    last_resorts: bool = True

    @classmethod
    def by(cls, settings: Settings | None, *, fixing: bool) -> Wanted:
        """Return what a run needs. A run that applies fixes only needs findings that are shown, and no last resorts."""
        if settings is None:
            return cls(last_resorts=not fixing)
        shown_only = settings.shown_only or fixing
        shows_last_resorts = not settings.shown_only or settings.output_format in WITH_LAST_RESORTS
        return cls(
            Selection(settings) if shown_only else None,
            edits=settings.edits or fixing,
            all_edits=settings.edits or settings.unsafe_fixes,
            last_resorts=shows_last_resorts and not fixing,
        )


def rule_findings(
    path: Path,
    events: list[Event],
    target: Target,
    stops: set[tuple[int, int]],
    wanted: Wanted,
    origins: dict[FindingKey, Event] | None = None,
) -> list[Diagnostic]:
    """Return the findings of the rules for one file's events, if they apply to the target torch.

    Args:
        path: the path of the file.
        events: the events in the file.
        target: the version of torch.
        stops: is filled with the node and the unit of each event at which the compiler stops, according to a rule.
        wanted: the requested findings.
        origins: is filled with the event of each finding.
    """
    from tslint.rulekit.rule import with_edits

    try:
        with with_edits(wanted.edits, all_wanted=wanted.all_edits):
            found = _findings(path, events, target, stops, wanted)
    except Exception as error:
        return [internal_error(path, error)]
    if origins is not None:
        origins.update((key, event) for key, (_, event) in found.items())
    return [each for each, _ in found.values()]


def _findings(
    path: Path, events: list[Event], target: Target, stops: set[tuple[int, int]], wanted: Wanted
) -> dict[FindingKey, tuple[Diagnostic, Event]]:
    """Return the most severe finding for each code and position, with its event."""
    from tslint.lint.uncompilable import is_untyped
    from tslint.rulekit.code import FileCode
    from tslint.rulekit.match import Match
    from tslint.rulekit.registry import rules_by_event
    from tslint.script.events.names import PackageCall

    assert events[0].unit is not None
    module = events[0].unit.function.module
    code = FileCode(module.source, module.tree)
    table = rules_by_event()
    found: dict[FindingKey, tuple[Diagnostic, Event]] = {}
    # The findings of a function share one call path: in large runs, call paths are most of what is kept.
    paths: dict[int, tuple[CallStep, ...]] = {}
    judged = _Judged()
    # Errors that do not depend on types come first: other fixes are only useful if these can be repaired.
    for event in sorted(events, key=lambda event: not is_untyped(event)):
        if judged.repeats(event, stops):
            continue
        if id(event.unit) not in paths:
            paths[id(event.unit)] = _path(event.unit)
        via = paths[id(event.unit)]
        if isinstance(event, PackageCall):
            via += tuple(map(_step, event.through))
        for registered in table.get(event.kind, ()):
            rule = registered.rule
            if not target.within(rule.since, rule.until):
                continue
            if rule.opt_in and wanted.selection is not None and not wanted.selection.judges(rule.code):
                continue
            try:
                for each in _rule_findings(registered, Match(event, code), via, judged.stops, wanted.last_resorts):
                    key = (each.code, each.start, each.end)
                    known = found.get(key)
                    if known is None:
                        found[key] = each, event
                    elif known[0].severity.rank < each.severity.rank:
                        # If the finding for this construction or class has no fix, that of another one is used.
                        found[key] = replace(each, fix=each.fix or known[0].fix), event
            except Exception as error:
                trouble = internal_error(path, error)
                found["TS900", trouble.start, trouble.end] = trouble, event
        judged.keep(event, stops)
    return found


class _Judged:
    """The events of one file that rules have judged.

    A method that a hundred classes inherit is compiled for each of them, usually with the same result; only the first
    result is kept.
    """

    def __init__(self) -> None:
        self.stops: set[tuple[int, int]] = set()
        """The node and the unit of the current event, if a rule says that the compiler stops there."""
        self._known: dict[tuple[object, ...], list[tuple[Event, bool]]] = {}

    def repeats(self, event: Event, stops: set[tuple[int, int]]) -> bool:
        """Return whether an event repeats an earlier one for another class of ``self``.

        If so, and if the compiler stops at the earlier one, add the event to ``stops``, too.
        """
        for known, stopped in self._known.get(_key(event), ()):
            if _alike(known, event):
                if stopped:
                    stops.add((id(event.node), id(event.unit)))
                return True
        return False

    def keep(self, event: Event, stops: set[tuple[int, int]]) -> None:
        """Remember an event that rules have judged, and add it to ``stops`` if the compiler stops there."""
        self._known.setdefault(_key(event), []).append((event, bool(self.stops)))
        stops |= self.stops
        self.stops.clear()


def _key(event: Event) -> tuple[object, ...]:
    unit = event.unit
    assert unit is not None
    where = event.kind, id(event.node), id(unit.function), unit.receiver is None, unit.role, unit.overloaded
    return *where, event.condition, event.compiler


def _alike(first: Event, second: Event) -> bool:
    """Return whether two events differ only in the unit: in the function, or in its ``self``."""
    other = vars(second)
    return all(name == "unit" or value is other[name] or value == other[name] for name, value in vars(first).items())


class Stops:
    """Determines at which events the compiler stops, according to the rules.

    Args:
        target: the version of torch.
        stops: is filled with the node and the unit of each of these events.
    """

    def __init__(self, target: Target, stops: set[tuple[int, int]]) -> None:
        self._target = target
        self._stops = stops
        self._codes: dict[int, FileCode] = {}
        """By the ``id`` of a module: libcst parses a definition once for all events in it."""
        self._known: dict[tuple[object, ...], list[tuple[Event, bool, bool]]] = {}

    def __call__(self, event: Event) -> bool:
        """Return whether the compiler stops at an event; rules are asked once for the classes that inherit the code."""
        known = self._known.setdefault(_key(event), [])
        entry = next((each for each in known if _alike(each[0], event)), None)
        if entry is None:
            own: set[tuple[int, int]] = set()
            entry = (event, self._refuses(event, own), bool(own))
            known.append(entry)
        _, refused, stopped = entry
        if stopped:
            self._stops.add((id(event.node), id(event.unit)))
        return refused

    def _refuses(self, event: Event, stops: set[tuple[int, int]]) -> bool:
        from tslint.rulekit.code import FileCode
        from tslint.rulekit.match import Match
        from tslint.rulekit.registry import rules_by_event

        assert event.unit is not None
        module = event.unit.function.module
        code = self._codes.get(id(module))
        if code is None:
            code = self._codes[id(module)] = FileCode(module.source, module.tree)
        for registered in rules_by_event().get(event.kind, ()):
            rule = registered.rule
            severe = _refuses(rule) and rule.severity is Severity.ERROR and rule.default
            if severe and self._target.within(rule.since, rule.until):
                found = _rule_findings(registered, Match(event, code), (), stops, last_resorts=False)
                if any(each.severity is Severity.ERROR for each in found):
                    return True
        return False


def _rule_findings(
    registered: RegisteredRule,
    match: Match,
    via: tuple[CallStep, ...],
    stops: set[tuple[int, int]],
    last_resorts: bool,
) -> Iterator[Diagnostic]:
    """Yield the findings of one rule for one event."""
    from tslint.lint.uncompilable import is_untyped
    from tslint.rulekit.imports import tidied
    from tslint.rulekit.quotes import in_own_quotes
    from tslint.rulekit.soundness import sound
    from tslint.rulekit.wording import with_condition

    rule, event = registered.rule, match.event
    for finding in registered.check(match):
        fix = _fix_of(rule, match, finding, last_resorts)
        if _refuses(rule):
            stops.add((id(event.node), id(event.unit)))
        start, end = match.file.span(event.span)
        if finding.start is not None and finding.end is not None:
            start, end = finding.start, finding.end
        severity = finding.severity or rule.severity
        if event.condition is not None and not event.certain and severity is Severity.ERROR:
            severity = Severity.WARNING
        message, help = with_condition(finding.message, _help(rule, event, finding), event.condition, event.certain)
        yield Diagnostic(
            rule.code,
            rule.name,
            severity,
            rule.stage,
            message,
            str(match.file.source.path),
            start,
            end,
            via,
            help,
            _UNKNOWN.sub("…", event.compiler) if "?" in event.compiler else event.compiler,
            fix and sound(match.file.source, match.file.tree, in_own_quotes(match.file.source.text, tidied(fix))),
            mistake=finding.mistake,
            condition=event.condition,
            rests_on=_rests_on(event) if _refuses(rule) and not is_untyped(event) else (),
        )


def _fix_of(rule: Rule, match: Match, finding: Finding, last_resorts: bool) -> Fix | None:
    """Return the fix of a finding: the rule's, or one for the property or the branch that contains the code."""
    from tslint.lint.uncompilable import is_untyped
    from tslint.rewrite.last_resort import last_resort

    event, is_syntax = match.event, rule.code.startswith(_SYNTAX)
    # A fix that is right for one signature of an overloaded function may be wrong for another.
    overloaded = event.unit is not None and event.unit.overloaded and not is_syntax
    fix = finding.fix if not overloaded else None
    if not _refuses(rule):
        return fix
    if fix is None and event.unit is not None and is_untyped(event):
        match.file.uncompilable.add(event.unit.function.node)
    if _unread_property(rule, event) and (fix is None or fix.applicability is not Applicability.SAFE):
        from tslint.rewrite.unused_property import unused_property

        fix = unused_property(match) or fix
    return (fix or last_resort(match, syntax=is_syntax)) if last_resorts else fix


def _refuses(rule: Rule) -> bool:
    """Return whether the compiler stops at the findings of a rule."""
    return rule.stage is Stage.SCRIPT and rule.code.startswith(REFUSED) and rule.severity is not Severity.INFO


def _help(rule: Rule, event: Event, finding: Finding) -> str | None:
    """Return the help of a finding. In a property that no compiled code reads, it is about the property. If it is about
    a wrong type, the help begins with the parameter without annotation of which the code reads an item, unless the
    finding already names one.
    """
    from tslint.script.dataflow.rests_on import items_read

    unread = _unread_property(rule, event)
    if unread and unread not in (finding.help or ""):
        return (
            f"Compiled code does not read the property `{unread}`, but the compiler compiles it: mark it"
            " `@torch.jit.unused`."
        )
    known = f"{finding.message} {finding.help}"
    about_types = rule.code.startswith("TS3") or rule.name in ("tensor-member-without-operator", "tensor-as-number")
    if event.unit is None or not about_types or "has no annotation" in known or "annotate it" in known:
        return finding.help
    found = list(items_read(event.unit.function.node, event.node))
    if not found:
        return finding.help
    names = [name for read, name in found if f"`{ast.unparse(read)}`" in finding.message] or [name for _, name in found]
    why = f"`{names[0]}` has no annotation, so TorchScript treats it as a Tensor: annotate it if it is something else."
    if not finding.help:
        return why
    verb = finding.help.partition(" ")[0][1:].islower()  # "TorchScript …" and "`x` …" stay as they are
    return f"{why} Otherwise, {finding.help[0].lower() if verb else finding.help[0]}{finding.help[1:]}"


def _unread_property(rule: Rule, event: Event) -> str:
    """Return the property that contains an error, if no compiled code reads it; empty for other code."""
    unit = event.unit
    if unit is None or unit.role != "property" or not _refuses(rule):
        return ""
    return unit.function.name if all(reach.caller is None for reach in unit.reached) else ""


def _rests_on(event: Event) -> tuple[str, ...]:
    """Return the parameters without annotation on whose types an event depends."""
    from tslint.script.dataflow.rests_on import rests_on

    function = event.unit.function if event.unit is not None else None
    return rests_on(function.module.tree, function.node, event.node) if function is not None else ()


def _path(unit: Unit | None) -> tuple[CallStep, ...]:
    if unit is None:
        return ()
    return tuple(map(_step, unit.path()))


def _step(unit: Unit) -> CallStep:
    source, node = unit.function.module.source, unit.function.node
    return CallStep(unit.name, str(source.path), source.from_ast(node.lineno, node.col_offset))
