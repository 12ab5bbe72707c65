"""Reports parameters without annotation also in their own file, if the calls that are rejected are in other files."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tslint.script.events import Event
from tslint.script.events.calls import CalledFromOtherFile, CallMismatch
from tslint.script.interpreter.function import parameters
from tslint.script.model import Model
from tslint.script.scope import Unit

Rejected = dict[tuple[int, str], set[tuple[int, int]]]
"""The calls that pass something other than a Tensor for a parameter without annotation, each as the ``id`` of the unit
that contains it and of its node, by the ``id`` of the called function and the parameter.
"""


def rejected_calls(model: Model) -> Rejected:
    """Return the rejected calls of a model that has compiled everything."""
    found: Rejected = {}
    for event in (each for events in model.events.values() for each in events if isinstance(each, CallMismatch)):
        if event.diagnosis.what == "unannotated" and event.function is not None:
            key = id(event.function), event.diagnosis.parameter
            found.setdefault(key, set()).add((id(event.unit), id(event.node)))
    return found


def accepted(unit: Unit, rejected: Rejected) -> list[str]:
    """Return the parameters for which a call of a unit may pass a Tensor: ``["*"]`` for all parameters."""
    reached = {(id(reach.caller), id(reach.node)) for reach in unit.reached}
    names = [each.arg for each in parameters(unit.function.node)]
    found = [name for name in names if not reached <= rejected.get((id(unit.function), name), set())]
    return ["*"] if len(found) == len(names) else found


def parameters_in_other_files(model: Model, events: Iterable[Event]) -> Iterator[CalledFromOtherFile]:
    """Yield an event for each parameter without annotation to which every compiled call passes something other than a
    Tensor, if calls are in other files: they are rejected, but the parameter's file has to change.

    Args:
        model: the static model that has compiled everything.
        events: its events.
    """
    rejected = rejected_calls(model)
    units = _by_call(model, {function for function, _ in rejected})
    for event in events:
        if not isinstance(event, CallMismatch) or event.diagnosis.what != "unannotated" or event.unit is None:
            continue
        unit, name = units.get((id(event.unit), id(event.node), id(event.function))), event.diagnosis.parameter
        if unit is None or unit.function.module is event.unit.function.module:
            continue
        if {"*", name}.intersection(accepted(unit, rejected)):
            continue
        argument = next((each for each in parameters(unit.function.node) if each.arg == name), None)
        if argument is not None and isinstance(event.node, ast.Call):
            yield CalledFromOtherFile(
                argument, event.compiler, name=name, actual=event.diagnosis.actual, function=unit.function,
                caller=event.unit, call=event.node, unit=unit, condition=event.condition, certain=event.certain,
            )  # fmt: skip


def _by_call(model: Model, functions: set[int]) -> dict[tuple[int, int, int], Unit]:
    """Return the units of functions, by the calling unit, the call and the function (each by its ``id``)."""
    return {
        (id(reach.caller), id(reach.node), id(unit.function)): unit
        for unit in (model.units.values() if functions else ())
        if id(unit.function) in functions
        for reach in unit.reached
    }
