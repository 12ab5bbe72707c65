"""Emits ``torch.jit.fork``, ``torch.jit.wait`` and similar (``emitForkExpr``, ``emitAwaitableExpr``)."""

from __future__ import annotations

import ast

from tslint.script.events.calls import FormArguments
from tslint.script.interpreter.arguments import Given, arguments
from tslint.script.interpreter.call_dispatch import call_value
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.operators import operator_type
from tslint.script.operators import Arg
from tslint.script.types import ANYTHING, ClassType, FutureType, has_unknowns
from tslint.script.values import UNKNOWN, Typed, Value


def fork(em: Emitter, node: ast.Call) -> Value:
    """Emit ``torch.jit.fork(function, *arguments)``: the result is a Future of the result of the call."""
    return _asynchronous(em, node, "Future", "fork")


def awaitable(em: Emitter, node: ast.Call) -> Value:
    """Emit ``torch.jit._awaitable(function, *arguments)``: the result is an Await of the result of the call."""
    return _asynchronous(em, node, "Await", "awaitable")


def _asynchronous(em: Emitter, node: ast.Call, kind: str, form: str) -> Value:
    if not node.args:
        said = f"Expected at least one argument to {form}()"
        return em.report(FormArguments(node, said, function=form, least=1, most=None, count=0))
    given = arguments(em, node)
    if isinstance(node.args[0], ast.Starred) or not given.values:
        return UNKNOWN
    callee = given.values[0][1]
    returned = call_value(em, callee, node, Given(given.values[1:], given.whole))
    return Typed(FutureType(kind, returned.type)) if isinstance(returned, Typed) else UNKNOWN


def wait(em: Emitter, node: ast.Call) -> Value:
    """Emit ``torch.jit.wait(future)``: the result is the value of the Future."""
    given = arguments(em, node)
    value = given.values[0][1] if len(given.values) == 1 and given.whole else UNKNOWN
    if not isinstance(value, Typed) or has_unknowns(value.type) or isinstance(value.type, ClassType):
        return UNKNOWN
    return operator_type(em, node, "aten::wait", [Arg(value.type)], "torch.jit.wait")


def awaited(em: Emitter, node: ast.Call) -> Value:
    """Emit ``torch.jit._awaitable_wait(value)``: the result is the value of the Await."""
    given = arguments(em, node)
    value = given.values[0][1] if len(given.values) == 1 and given.whole else UNKNOWN
    type_ = value.type if isinstance(value, Typed) else ANYTHING
    return Typed(type_.element) if isinstance(type_, FutureType) and type_.name == "Await" else UNKNOWN
