"""Collects what a run knows about methods that are also compiled in other runs, for other classes or callers.

In a large run, files are analysed in groups. Whether an event of an inherited method is reported depends on all classes
that inherit it, and these may be in several groups (see :mod:`tslint.lint.together`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

from tslint.project.definitions import Class
from tslint.script.callee_files import accepted, rejected_calls
from tslint.script.events import Event
from tslint.script.events.calls import CalledFromOtherFile
from tslint.script.hazards.passed_on import given_by_python
from tslint.script.model import FROM_PYTHON, Model, drops_if_some, never_set
from tslint.script.scope import Unit

EventKey = tuple[int, str, int, int]
"""The row of a function, and the kind and the position of an event in it."""


@dataclass
class Evidence:
    """What a run knows about the functions in one file; classes are named by module and name.

    Args:
        classes: by the row of a method, the classes for which it is compiled, without abstract ones.
        seen: by event, the classes for which it occurs.
        excused: by event about a parameter, the classes for which only compiled code passes the argument, and the value
            does not come from Python.
        inherited: by class, the attributes and methods of its subclasses that its own body and bases do not define.
        accepted: by the row of a function, its parameters that may get a Tensor, ``pkg.Net.x``; ``pkg.Net.*`` for all.
    """

    classes: dict[int, set[str]] = field(default_factory=dict)
    seen: dict[EventKey, set[str]] = field(default_factory=dict)
    excused: dict[EventKey, set[str]] = field(default_factory=dict)
    inherited: dict[str, set[str]] = field(default_factory=dict)
    accepted: dict[int, set[str]] = field(default_factory=dict)

    def add(self, other: Evidence) -> None:
        """Add the evidence of another run."""
        for each in fields(self):
            table = getattr(self, each.name)
            for key, values in getattr(other, each.name).items():
                table.setdefault(key, set()).update(values)

    def data(self) -> list[Any]:
        """Return the evidence as JSON."""
        return [[[key, sorted(value)] for key, value in getattr(self, each.name).items()] for each in fields(self)]

    @classmethod
    def of(cls, data: list[Any]) -> Evidence:
        """Return the evidence from the JSON of :meth:`data`."""
        return cls(*({_key(key): set(values) for key, values in table} for table in data))


class Claim(NamedTuple):
    """The conditions under which a finding is valid, as far as other runs decide them.

    Args:
        event: the event of the finding.
        receiver: the class for which the function is compiled; empty for free functions.
        name: that class's name in messages.
        uncalled: whether the finding is only valid if no compiled code calls the function.
        dropped: whether the finding is left out if the function is compiled for another class without the event.
        attribute: if a class that inherits from ``receiver`` has this attribute, the finding is left out; empty if
            there is no such condition.
        parameter: the parameter that gets no Tensor, if the finding is only valid if no call passes one.
    """

    event: EventKey
    receiver: str
    name: str
    uncalled: bool = False
    dropped: bool = False
    attribute: str = ""
    parameter: str = ""

    @classmethod
    def of(cls, data: list[Any]) -> Claim:
        """Return a claim from its JSON."""
        return cls(_key(data[0]), *data[1:])


def evidence(model: Model, wanted: Callable[[Path], bool]) -> dict[Path, Evidence]:
    """Return, by file, what a model that has compiled everything knows about functions.

    Args:
        model: the static model.
        wanted: returns whether a file is wanted.
    """
    found: dict[Path, Evidence] = {}
    rejected = rejected_calls(model)
    for key, unit in model.units.items():
        path = unit.function.module.source.path
        if wanted(path) and (unit.receiver is None or model.built.origin(unit.receiver) is None):
            known = found.setdefault(path, Evidence())
            _add_unit(known, model, unit, model.events.get(key, ()))
            names = (f"{_name(unit.receiver)}.{name}" for name in accepted(unit, rejected))
            known.accepted.setdefault(unit.function.node.lineno, set()).update(names)
    for root in model.roots:
        _add_inherited(found, model, root, wanted)
    return found


def _add_unit(known: Evidence, model: Model, unit: Unit, events: Iterable[Event]) -> None:
    name = _name(unit.receiver)
    if unit.receiver is not None and not model.hierarchy(unit.receiver).abstract:
        known.classes.setdefault(unit.function.node.lineno, set()).add(name)
    for event in events:
        if unit.receiver is not None:
            known.seen.setdefault(_event_key(event, unit), set()).add(name)
        if isinstance(event, FROM_PYTHON) and not given_by_python(unit, event.name):
            known.excused.setdefault(_event_key(event, unit), set()).add(name)


def _add_inherited(found: dict[Path, Evidence], model: Model, root: Class, wanted: Callable[[Path], bool]) -> None:
    facts = model.facts(root)
    names = {*facts.attributes, *facts.hierarchy.members}
    for base in facts.hierarchy.mro:
        if isinstance(base, Class) and base is not root:
            more = names.difference(model.hierarchy(base).members)
            for owner in model.hierarchy(base).mro:
                if isinstance(owner, Class) and wanted(owner.module.source.path):
                    known = found.setdefault(owner.module.source.path, Evidence())
                    known.inherited.setdefault(_name(base), set()).update(more)


def claim(model: Model, event: Event) -> Claim | None:
    """Return what the finding about an event relies on; None if other runs cannot refute it."""
    unit = event.unit
    if unit is None or (unit.receiver is not None and model.built.origin(unit.receiver) is not None):
        return None
    if isinstance(event, CalledFromOtherFile):
        return Claim(_event_key(event, unit), _name(unit.receiver), "", parameter=event.name)
    uncalled = isinstance(event, FROM_PYTHON) and all(reach.caller is None for reach in unit.reached)
    absent = never_set(event)
    if not uncalled and not absent and (unit.receiver is None or (event.condition is not None and not event.certain)):
        return None
    attribute = event.attribute if never_set(event) and event.class_ is unit.receiver else ""
    name = unit.receiver.name if unit.receiver is not None else ""
    return Claim(_event_key(event, unit), _name(unit.receiver), name, uncalled, drops_if_some(event), attribute)


def _event_key(event: Event, unit: Unit) -> EventKey:
    span = event.span
    return unit.function.node.lineno, event.kind, span.row, span.column


def _name(definition: Class | None) -> str:
    return "" if definition is None else f"{definition.module.name}.{definition.qualname}"


def _key(key: Any) -> Any:
    return tuple(key) if isinstance(key, list) else key
