"""Which handler calls a value (``SugaredValue::call``)."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tslint.script.interpreter.arguments import Given
from tslint.script.interpreter.emitter import Emitter
from tslint.script.values import UNKNOWN, Alternatives, ContainerValue, Value

_Handler = Callable[[Emitter, Any, ast.Call, Given], Value]
_HANDLERS: dict[type[Value], _Handler] = {}


def calls(*kinds: type[Value]) -> Callable[[_Handler], _Handler]:
    """Register what calls values of some kinds: given the emitter, the value, the node and the emitted arguments."""

    def register(handler: _Handler) -> _Handler:
        _HANDLERS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def call_value(em: Emitter, callee: Value, node: ast.Call, given: Given) -> Value:
    """Call a value. A kind that nothing is registered for gives Unknown."""
    if isinstance(callee, Alternatives):
        return em.map_alternatives(callee, lambda option: call_value(em, option, node, given))
    handler = _HANDLERS.get(type(callee))
    if handler is None:
        return UNKNOWN
    position = next((i for i, (_, value, _) in enumerate(given.values) if isinstance(value, Alternatives)), None)
    # A container gives its arguments to its modules, which look at the alternatives one by one.
    if position is None or isinstance(callee, ContainerValue):
        return handler(em, callee, node, given)
    name, value, place = given.values[position]
    assert isinstance(value, Alternatives)

    def substituted(option: Value) -> Value:
        values = [*given.values[:position], (name, option, place), *given.values[position + 1 :]]
        return call_value(em, callee, node, Given(values, given.whole))

    return em.map_alternatives(value, substituted)
