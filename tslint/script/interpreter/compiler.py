"""Compiles one function; imports every module that registers an emitter."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from tslint.script.compilation import Compilation
from tslint.script.events import Event

# Imported for their registrations, which the emitter and `call_value` use.
from tslint.script.interpreter import (
    assignment,
    branches,
    calls,
    construction,
    displays,
    expressions,
    external_calls,
    function_calls,
    loops,
    module_calls,
    names,
    operator_calls,
    statements,
    subscripts,
)
from tslint.script.interpreter.emitter import Emitter, Seen
from tslint.script.interpreter.function import emit_function
from tslint.script.interpreter.overloads import broken_overload
from tslint.script.scope import Unit, overloads, overloads_are_sure
from tslint.script.types import Type

__all__ = [
    "assignment",
    "branches",
    "calls",
    "compile_unit",
    "construction",
    "displays",
    "expressions",
    "external_calls",
    "function_calls",
    "loops",
    "module_calls",
    "names",
    "operator_calls",
    "statements",
    "subscripts",
]


def compile_unit(
    model: Compilation, unit: Unit, watched: Iterable[ast.AST] = ()
) -> tuple[list[Event], Type | None, Mapping[ast.AST, Seen]]:
    """Compile a function.

    Args:
        model: the static model of the run.
        unit: the function.
        watched: statements of the function.

    Returns:
        The events; the return type, None if it is not known; the state before each watched statement.
    """
    # For declarations marked `_overload`, the body is compiled once for the signature of each.
    declared = overloads(unit.function, model.project)
    if declared and not overloads_are_sure(unit.function, model.project):
        return [], None, {}
    unit.overloaded = bool(declared)
    found: list[Event] = []
    for declaration in declared or [unit.function]:
        emitter = Emitter(model, unit)
        emitter.declaration = declaration
        emitter.watched = frozenset(watched)
        broken = broken_overload(emitter)
        returned = None if broken is not None else emit_function(emitter)
        if broken is not None:
            emitter.report(broken)
        known = {(event.kind, event.node) for event in found}
        found += [event for event in emitter.events + emitter.noticed if (event.kind, event.node) not in known]
    returned = returned if not declared else None
    if emitter.recording is not None:
        emitter.recording.results[id(unit)] = returned
    return found, returned, emitter.seen
