"""Compiles one function: all that emits parts of it is registered here."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from tslint.script.compilation import Compilation
from tslint.script.events import Event

# What they register is used by the emitter and by `call_value`.
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
from tslint.script.scope import Unit
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
        model: the run's model.
        unit: the function.
        watched: statements of it.

    Returns:
        Its events; its return type, None where that is not known; what was seen before each watched statement.
    """
    emitter = Emitter(model, unit)
    emitter.watched = frozenset(watched)
    returned = emit_function(emitter)
    if emitter.recording is not None:
        emitter.recording.results[id(unit)] = returned
    return emitter.events + emitter.noticed, returned, emitter.seen
