"""Selects the handler that calls a value (``SugaredValue::call``)."""

from __future__ import annotations

import ast
from collections.abc import Callable
from math import prod
from typing import Any

from tslint.script.interpreter.arguments import Given
from tslint.script.interpreter.emitter import Emitter, spread
from tslint.script.values import UNKNOWN, Alternatives, ContainerValue, Value

_Handler = Callable[[Emitter, Any, ast.Call, Given], Value]
_HANDLERS: dict[type[Value], _Handler] = {}


def calls(*kinds: type[Value]) -> Callable[[_Handler], _Handler]:
    """Register a handler for calls of the given kinds of values. The handler gets the emitter, the value, the node and
    the emitted arguments.
    """

    def register(handler: _Handler) -> _Handler:
        _HANDLERS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def call_value(em: Emitter, callee: Value, node: ast.Call, given: Given) -> Value:
    """Call a value. The result is Unknown if no handler is registered for this kind of value."""
    if isinstance(callee, Alternatives):
        return em.map_alternatives(callee, lambda option: call_value(em, option, node, given))
    handler = _HANDLERS.get(type(callee))
    if handler is None:
        return UNKNOWN
    if isinstance(callee, ContainerValue):
        return handler(em, callee, node, given)  # it passes its arguments to its modules, which handle each alternative
    given = Given([(name, spread(em, value), at) for name, value, at in given.values], given.whole)
    varying = [i for i, (_, value, _) in enumerate(given.values) if isinstance(value, Alternatives)]
    if not varying:
        return handler(em, callee, node, given)
    if _combinations(given, varying) <= _MOST_COMBINATIONS:
        return _with_each(em, callee, node, given, varying[0])
    # Too many combinations: the result is that of a call with unknown arguments. To find errors, the alternatives of
    # each argument are tried while the other arguments are unknown.
    unknown = Given([(n, UNKNOWN if i in varying else v, at) for i, (n, v, at) in enumerate(given.values)], given.whole)
    before = len(em.events)
    result = handler(em, callee, node, unknown)
    for i in varying if len(em.events) == before else ():
        alone = Given([*unknown.values[:i], given.values[i], *unknown.values[i + 1 :]], given.whole)
        _with_each(em, callee, node, alone, i)
    return result


_MOST_COMBINATIONS = 64


def _combinations(given: Given, positions: list[int]) -> int:
    """Return the number of calls for all combinations of the arguments' alternatives."""
    values = (given.values[i][1] for i in positions)
    return prod(len(value.cases) for value in values if isinstance(value, Alternatives))


def _with_each(em: Emitter, callee: Value, node: ast.Call, given: Given, position: int) -> Value:
    """Call a value with each alternative of an argument. The callee counts as reached under the tests outside the call
    only, because the alternatives do not decide whether it is compiled.
    """
    name, value, place = given.values[position]
    assert isinstance(value, Alternatives)
    outside = em.called_under

    def substituted(option: Value) -> Value:
        values = [*given.values[:position], (name, option, place), *given.values[position + 1 :]]
        return call_value(em, callee, node, Given(values, given.whole))

    em.called_under = em.assumptions if outside is None else outside
    try:
        return em.map_alternatives(value, substituted)
    finally:
        em.called_under = outside
